import { AlertDialog } from "@base-ui/react/alert-dialog";
import type { ReactNode } from "react";
import { Button } from "./Button";
import css from "./Confirm.module.css";

interface Props {
  open: boolean;
  title: string;
  children: ReactNode;
  yes: string;
  no?: string;
  danger?: boolean;
  onYes: () => void;
  onNo: () => void;
}

// The component Confirm asks the person before an action that cannot easily be undone.
export function Confirm({ open, title, children, yes, no = "Cancel", danger, onYes, onNo }: Props) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onNo()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={css.backdrop} />
        <AlertDialog.Popup className={css.popup}>
          <AlertDialog.Title className={css.title}>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className={css.text}>
            {children}
          </AlertDialog.Description>
          <div className={css.buttons}>
            <Button onClick={onNo}>{no}</Button>
            <Button kind={danger ? "danger" : "main"} onClick={onYes}>
              {yes}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
