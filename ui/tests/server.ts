// A real server with an empty store, for one test. Its home folder and its project are temporary.
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const bin = process.env.BIN ?? "";

export interface Decision {
  decision: string; // allow, ask or deny
  reason: string;
}

interface HookCall {
  tool: string;
  input: Record<string, unknown>;
  session: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  folder?: string; // the folder in which the hook runs
}

// Some tests also run with a store in Elasticsearch. Each server has indices of its own.
const elasticsearch = process.env.GUARDRAILS_TEST_ELASTICSEARCH;

export class Server {
  readonly dir = mkdtempSync(join(tmpdir(), "ui-"));
  readonly project = join(this.dir, "shop");
  url = "";
  private process: ChildProcess | undefined;
  private readonly prefix = `${basename(this.dir).toLowerCase()}-`;

  constructor() {
    mkdirSync(join(this.project, ".git"), { recursive: true });
    mkdirSync(join(this.project, ".claude"));
    this.write(".claude/guardrails.yaml", "packs: [core]\n");
    this.own("");
  }

  async start(address = "127.0.0.1:0") {
    this.process = spawn(join(bin, "guardrails"), ["serve", "--addr", address, "-o", "json"], {
      cwd: this.project,
      env: this.env(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.url = new URL(await firstAddress(this.process)).origin;
    if (elasticsearch) await this.untilReady(); // creating the indices takes some time
  }

  private async untilReady() {
    for (const end = Date.now() + 60_000; ; ) {
      const { status } = (await (await fetch(`${this.url}/readyz`)).json()) as { status: string };
      if (status === "ready") return;
      if (Date.now() > end) throw new Error(`the server is ${status} after a minute`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
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
    if (elasticsearch) await removeIndices(elasticsearch, this.prefix);
    // A process that a hook started may still write into the folder.
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  // The method "run" runs guardrails as a person would in the project.
  run(...args: string[]): string {
    const done = spawnSync(join(bin, "guardrails"), args, { cwd: this.project, env: this.env(), encoding: "utf8" });
    if (done.status !== 0) throw new Error(`guardrails ${args.join(" ")}: ${done.stderr}`);
    return done.stdout;
  }

  // The method "shell" runs a command line in a shell in the project, as a person would. It returns what the
  // command prints, whatever the exit code is.
  shell(line: string, env: Record<string, string> = {}): string {
    const done = spawnSync("bash", ["-c", line], { cwd: this.project, env: { ...this.env(), ...env }, encoding: "utf8" });
    return done.stdout + done.stderr;
  }

  // The method "hook" calls the hook with a tool call, as the client does.
  hook(tool: string, input: Record<string, unknown>, session = "s1", folder = bin): Decision {
    return Server.ask({ tool, input, session, folder, cwd: this.project, env: this.env() });
  }

  static ask({ tool, input, session, cwd, env, folder = bin }: HookCall): Decision {
    return Server.answer(JSON.stringify({ session_id: session, hook_event_name: "PreToolUse", tool_name: tool, tool_input: input, cwd }), cwd, env, folder);
  }

  // hookText passes a text to the hook unchanged.
  hookText(input: string): Decision {
    return Server.answer(input, this.project, this.env(), bin);
  }

  private static answer(input: string, cwd: string, env: NodeJS.ProcessEnv, folder: string): Decision {
    const done = spawnSync(join(folder, "guardrails-enforce"), { cwd, env, encoding: "utf8", input });
    if (done.status === 2) return { decision: "deny", reason: done.stderr };
    if (done.status !== 0) throw new Error(`the hook failed: ${done.stderr}`);
    const answer = JSON.parse(done.stdout || "{}") as { hookSpecificOutput?: { permissionDecision?: string; permissionDecisionReason?: string } };
    const said = answer.hookSpecificOutput;
    return { decision: said?.permissionDecision ?? "allow", reason: said?.permissionDecisionReason ?? "" };
  }

  // The method "call" gives the hook an event about a tool call, such as the end of the call, with all fields of
  // the event.
  call(event: string, fields: Record<string, unknown>, session = "s1") {
    const input = JSON.stringify({ session_id: session, hook_event_name: event, cwd: this.project, ...fields });
    spawnSync(join(bin, "guardrails-enforce"), { cwd: this.project, env: this.env(), encoding: "utf8", input });
  }

  // hookAlone asks a hook that cannot check the call, because the hook finds no server and no program guardrails in its
  // own folder.
  hookAlone(tool: string, input: Record<string, unknown>, session = "alone"): Decision {
    const folder = join(this.dir, "alone");
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(bin, "guardrails-enforce"), join(folder, "guardrails-enforce"));
    return this.hook(tool, input, session, folder);
  }

  // The method "prompt" gives the hook a prompt that a person typed, as the client does.
  prompt(text: string, session = "s1") {
    const input = JSON.stringify({ session_id: session, hook_event_name: "UserPromptSubmit", prompt: text, cwd: this.project });
    spawnSync(join(bin, "guardrails-inject"), { cwd: this.project, env: this.env(), encoding: "utf8", input });
  }

  // api calls the REST API directly and not through the page, with the first token.
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

  // signInAddress returns the address that "guardrails ui" opens.
  signInAddress(): string {
    return this.run("ui", "--print", "--addr", new URL(this.url).host).trim();
  }

  // The method "file" creates a file in the project, and returns the file's path.
  file(name: string, text: string): string {
    this.write(name, text);
    return join(this.project, name);
  }

  write(name: string, text: string) {
    writeFileSync(join(this.project, name), text);
  }

  // The method "own" writes the settings of the user.
  own(text: string) {
    const folder = join(this.dir, "home/.config/guardrails");
    mkdirSync(folder, { recursive: true });
    const store = elasticsearch ? `store: {addresses: ["${elasticsearch}"], index_prefix: ${this.prefix}}\n` : "";
    writeFileSync(join(folder, "guardrails.yaml"), store + text);
  }

  private env(): NodeJS.ProcessEnv {
    return {
      HOME: join(this.dir, "home"),
      PATH: `${bin}:/usr/bin:/bin`,
      XDG_STATE_HOME: join(this.dir, "state"),
      XDG_DATA_HOME: join(this.dir, "data"),
      GUARDRAILS_CACHE_DIR: join(this.dir, "run"),
      GUARDRAILS_ADDR: "127.0.0.1:0", // the server offers the page on a free port instead of the usual one
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

async function removeIndices(url: string, prefix: string) {
  const found = (await (await fetch(`${url}/_cat/indices/${prefix}*?format=json`)).json()) as { index: string }[];
  for (const { index } of found) await fetch(`${url}/${index}`, { method: "DELETE" });
}
