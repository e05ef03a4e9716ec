// What "make run" starts: the demonstration, in a terminal of its own, with its server.
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Server } from "./server";

const script = fileURLToPath(new URL("../../scripts/demo.sh", import.meta.url));
const bin = process.env.BIN ?? "";

export class Demo {
  readonly home = mkdtempSync(join(tmpdir(), "ui-home-"));
  command = ""; // the command that the demonstration prints for opening the page
  folder = ""; // the folder of the demonstration's files
  private terminal: ChildProcess | undefined;

  // The method "start" starts the demonstration, and returns what it prints.
  async start(): Promise<string> {
    mkdirSync(join(this.home, "tmp"));
    this.terminal = spawn("script", ["-qfec", `${script} ${join(bin, "guardrails")}`, "/dev/null"], { env: this.env(), stdio: ["pipe", "pipe", "inherit"] });
    const text = await printed(this.terminal, "runs until Ctrl-C.");
    this.command = /^ *(XDG_STATE_HOME=.* ui --addr \S+)$/m.exec(text)?.[1] ?? "";
    this.folder = dirname(/XDG_STATE_HOME=(\S+)/.exec(this.command)?.[1] ?? "");
    return text;
  }

  // address() runs the printed command in a shell that has no variables of the demonstration, and returns the address.
  address(): string {
    const done = spawnSync("bash", ["-c", `${this.command} --print`], { cwd: "/", env: this.env(), encoding: "utf8" });
    if (done.status !== 0) throw new Error(`${this.command}: ${done.stderr}`);
    return done.stdout.trim();
  }

  // The method "hook" calls the hook in the project of the demonstration.
  hook(tool: string, input: Record<string, unknown>) {
    const env = { XDG_DATA_HOME: join(this.folder, "data"), XDG_STATE_HOME: join(this.folder, "state"), GUARDRAILS_CACHE_DIR: join(this.folder, "run") };
    return Server.ask({ tool, input, session: "newcomer", cwd: join(this.folder, "project"), env: { ...this.env(), ...env } });
  }

  async end() {
    const child = this.terminal;
    if (child && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.stdin?.write("\x03"); // Ctrl-C
      await ended;
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  private env(): NodeJS.ProcessEnv {
    return { HOME: this.home, PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, TMPDIR: join(this.home, "tmp"), TERM: "dumb" };
  }
}

function printed(child: ChildProcess, last: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (part: Buffer) => {
      text += part.toString().replaceAll("\r", "");
      if (text.includes(last)) resolve(text);
    });
    child.once("exit", (status) => reject(new Error(`the demonstration ended with ${status}: ${text}`)));
  });
}
