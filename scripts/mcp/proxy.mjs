// Runs a command with URL replaced by the address of a proxy that adds a token to each request.
import { spawn } from "node:child_process";
import http from "node:http";

const [target, token, ...command] = process.argv.slice(2);
const { host, hostname, port } = new URL(target);

const proxy = http.createServer((request, response) => {
  const headers = { ...request.headers, host, authorization: `Bearer ${token}` };
  const onward = http.request({ hostname, port, path: request.url, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", (error) => response.destroy(error));
  request.pipe(onward);
});
proxy.listen(0, "127.0.0.1", () => {
  const own = `http://127.0.0.1:${proxy.address().port}/mcp`;
  const [program, ...args] = command.map((word) => (word === "URL" ? own : word));
  spawn(program, args, { stdio: "inherit" }).on("exit", (code) => process.exit(code ?? 1));
});
