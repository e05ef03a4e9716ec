// A real server with an empty store, for one test. Its home folder and its project are temporary.
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const bin = process.env.BIN ?? "";

export interface Decision {
  decision: string; // allow, ask or deny
  reason: string;
}

export class Server {
  readonly dir = mkdtempSync(join(tmpdir(), "ui-"));
  readonly project = join(this.dir, "shop");
  url = "";
  private process: ChildProcess | undefined;

  constructor() {
    mkdirSync(join(this.project, ".git"), { recursive: true });
    mkdirSync(join(this.project, ".claude"));
    this.write(".claude/guardrails.yaml", "packs: [core]\n");
  }

  async start(address = "127.0.0.1:0") {
    this.process = spawn(join(bin, "guardrails"), ["serve", "--addr", address, "-o", "json"], {
      cwd: this.project,
      env: this.env(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.url = new URL(await firstAddress(this.process)).origin;
  }

  async stop() {
    const child = this.process;
    this.process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }

  async end() {
    await this.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  // run runs guardrails as a person would in the project.
  run(...args: string[]): string {
    const done = spawnSync(join(bin, "guardrails"), args, { cwd: this.project, env: this.env(), encoding: "utf8" });
    if (done.status !== 0) throw new Error(`guardrails ${args.join(" ")}: ${done.stderr}`);
    return done.stdout;
  }

  // hook asks the hook of a tool call, as the client does.
  hook(tool: string, input: Record<string, unknown>, session = "s1", folder = bin): Decision {
    const call = { session_id: session, hook_event_name: "PreToolUse", tool_name: tool, tool_input: input, cwd: this.project };
    const done = spawnSync(join(folder, "guardrails-enforce"), { cwd: this.project, env: this.env(), encoding: "utf8", input: JSON.stringify(call) });
    if (done.status === 2) return { decision: "deny", reason: done.stderr };
    if (done.status !== 0) throw new Error(`the hook failed: ${done.stderr}`);
    const answer = JSON.parse(done.stdout || "{}") as { hookSpecificOutput?: { permissionDecision?: string; permissionDecisionReason?: string } };
    const said = answer.hookSpecificOutput;
    return { decision: said?.permissionDecision ?? "allow", reason: said?.permissionDecisionReason ?? "" };
  }

  // hookAlone asks a hook that finds neither the server nor the program beside it, so it cannot check the call.
  hookAlone(tool: string, input: Record<string, unknown>): Decision {
    const folder = join(this.dir, "alone");
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(bin, "guardrails-enforce"), join(folder, "guardrails-enforce"));
    return this.hook(tool, input, "alone", folder);
  }

  // prompt gives the hook a prompt that a person typed, as the client does.
  prompt(text: string, session = "s1") {
    const input = JSON.stringify({ session_id: session, hook_event_name: "UserPromptSubmit", prompt: text, cwd: this.project });
    spawnSync(join(bin, "guardrails-inject"), { cwd: this.project, env: this.env(), encoding: "utf8", input });
  }

  // api asks the REST API with the first token, past the page.
  async api<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: { Authorization: `Bearer ${this.token()}`, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  token(): string {
    return readFileSync(join(this.dir, "state/guardrails/token"), "utf8").trim();
  }

  // signInAddress is what "guardrails ui" opens.
  signInAddress(): string {
    return this.run("ui", "--print", "--addr", new URL(this.url).host).trim();
  }

  write(name: string, text: string) {
    writeFileSync(join(this.project, name), text);
  }

  // own writes the settings of the user.
  own(text: string) {
    const folder = join(this.dir, "home/.config/guardrails");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "guardrails.yaml"), text);
  }

  private env(): NodeJS.ProcessEnv {
    return {
      HOME: join(this.dir, "home"),
      PATH: `${bin}:/usr/bin:/bin`,
      XDG_STATE_HOME: join(this.dir, "state"),
      XDG_DATA_HOME: join(this.dir, "data"),
      GUARDRAILS_CACHE_DIR: join(this.dir, "run"),
      GUARDRAILS_ADDR: "127.0.0.1:0", // the server on this port has the page, as the one on the usual port has
      TMPDIR: this.dir,
    };
  }
}

function firstAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (part: Buffer) => {
      text += part.toString();
      const found = /"url":\s*"([^"]*)"/.exec(text);
      if (found?.[1]) resolve(found[1]);
    });
    child.once("exit", (status) => reject(new Error(`the server ended with ${status}: ${text}`)));
  });
}
