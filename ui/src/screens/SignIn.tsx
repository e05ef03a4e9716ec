import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { signIn } from "../api/session";
import { Button } from "../parts/Button";
import { Field, inputClass } from "../parts/Field";
import css from "./SignIn.module.css";

export function SignIn({ refusal }: { refusal: string | undefined }) {
  const client = useQueryClient();
  const [token, setToken] = useState("");
  const enter = useMutation({
    mutationFn: () => signIn({ token: token.trim() }),
    onSuccess: (session) => client.setQueryData(["session"], session),
  });
  const message = enter.error?.message ?? refusal;
  return (
    <main className={css.page}>
      <title>Sign in · guardrails</title>
      <h1>guardrails</h1>
      <p>
        Run <code>guardrails ui</code> in a terminal. The command opens this page and signs you in.
      </p>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          enter.mutate();
        }}
      >
        <Field
          label="Or sign in with a token"
          hint={<>Create a token with the command <code>guardrails token create</code>.</>}
          notes={message ? [{ tone: "deny", text: message }] : []}
        >
          {(control) => (
            <input
              {...control}
              className={inputClass}
              type="password"
              autoComplete="off"
              required
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <Button kind="main" type="submit" disabled={enter.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
