import { useState } from "react";
import { Button } from "./Button";

// CopyButton copies a text to the clipboard and reports whether this worked.
export function CopyButton({ name, text }: { name: string; text: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied.");
    } catch {
      setSaid("The browser does not permit copying.");
    }
  };
  return (
    <span>
      <Button onClick={() => void copy()}>{name}</Button> <span role="status">{said}</span>
    </span>
  );
}
