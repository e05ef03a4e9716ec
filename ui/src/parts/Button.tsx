import type { ButtonHTMLAttributes } from "react";
import css from "./Button.module.css";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: "main" | "plain" | "quiet" | "danger";
}

export function Button({ kind = "plain", className, type = "button", ...rest }: Props) {
  return <button type={type} className={[css.button, css[kind], className].join(" ")} {...rest} />;
}

export const buttonClass = `${css.button} ${css.plain}`;
export const mainClass = `${css.button} ${css.main}`;
