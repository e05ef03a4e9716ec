// Requests to the server. Every failed request throws a Failure, which screens can show.
import type { Problem } from "./shapes";
import { reached, unreachable } from "../state/connection";

export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem | null,
    message: string,
  ) {
    super(message);
  }
}

// A request that changes something must carry the key of the session. The browser also sends the session's cookies with
// requests of pages on other ports of the same host, but those pages do not have this key.
export const keyName = "guardrails.key";

type Query = Record<string, unknown>;

interface Options {
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  accepts?: number; // an error status that is not a failure for this request
}

export function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

export async function ask<T>(method: string, path: string, options: Options = {}): Promise<T> {
  const response = await answer(method, path, options);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

// askLines parses each line of a streamed answer, and calls onLine with the result.
export async function askLines<T>(method: string, path: string, options: Options, onLine: (line: T) => void): Promise<void> {
  const response = await answer(method, path, { ...options, headers: { Accept: "application/x-ndjson", ...options.headers } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    const lines = (rest + piece.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) onLine(JSON.parse(line) as T);
  }
}

async function answer(method: string, path: string, options: Options): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json", ...options.headers };
  if (method !== "GET") headers["X-Guardrails-Page"] = localStorage.getItem(keyName) ?? "1";
  let body: string | undefined;
  if (options.body !== undefined) {
    headers["Content-Type"] ??= "application/json";
    body = typeof options.body === "string" ? options.body : JSON.stringify(options.body);
  }
  const response = await send(address(path, options.query), { method, headers, body, signal: options.signal });
  if (!response.ok && response.status !== options.accepts) throw await failure(response);
  return response;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    reached();
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    unreachable();
    throw new Failure(0, null, "The server does not answer.");
  }
}

async function failure(response: Response): Promise<Failure> {
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.includes("problem+json")) return new Failure(response.status, null, `The server answered ${response.status}.`);
  const problem = (await response.json()) as Problem;
  return new Failure(response.status, problem, problem.detail);
}

// pathOf returns the address of a guideline. An id that is also a word of the API, such as "audit", gets a tilde before
// it.
export function pathOf(id: string, rest = ""): string {
  return `/api/guardrails/~${encodeURIComponent(id)}${rest}`;
}
