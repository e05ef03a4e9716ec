// Uses the server like a program written with the TypeScript SDK, over stdio and HTTP. The SDK checks each structured answer
// against the published schema.
import assert from "node:assert/strict";
import fs from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceListChangedNotificationSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, token, command, ...args] = process.argv.slice(2);

// Creates, changes and deletes a guideline, and checks the audit log.
async function change(call, id) {
  const guideline = { id, name: "Locked", category: "security", action: { type: "tool_restriction", tools_denied: ["Write(locked/*)"] } };
  assert.equal((await call("guardrails_create", { guideline })).structuredContent.guideline.version, 1);
  const held = await call("guardrails_get_context", { agent: "backend" });
  assert.ok(held.structuredContent.guidelines.some((one) => one.id === id), "a new guideline applies at once");
  assert.equal((await call("guardrails_update", { id, version: 1, priority: 7 })).structuredContent.guideline.priority, 7);
  const late = await call("guardrails_update", { id, version: 1, priority: 8 });
  assert.equal(late.isError, true);
  assert.match(late.content[0].text, /has version 2 now/);
  assert.equal((await call("guardrails_toggle", { id, version: 2 })).structuredContent.guideline.enabled, false);
  const again = await call("guardrails_import", { guidelines: [guideline], on_conflict: "update" });
  assert.equal(again.structuredContent.items[0].outcome, "updated");
  assert.equal((await call("guardrails_delete", { id, version: 4 })).structuredContent.version, 5);
  const { entries } = (await call("guardrails_audit", { guideline_id: id })).structuredContent;
  assert.deepEqual(entries.map((entry) => entry.event_type).reverse(), [
    "guideline_created", "guideline_updated", "guideline_disabled", "guideline_imported", "guideline_deleted",
  ]);
}

async function use(name, transport) {
  const client = new Client({ name: "check", version: "1" });
  await client.connect(transport);
  assert.equal(client.getServerVersion().name, "guardrails");
  assert.match(client.getInstructions(), /guardrails_get_context/);
  const { tools } = await client.listTools();
  const reads = ["get_context", "list", "get", "explain", "explain_call", "audit"], writes = ["log_decision", "create", "update", "toggle", "delete", "import"];
  // On stdio, each schema would cost every session a part of its context, so these tools are only listed on the port.
  const detectors = name === "HTTP" ? ["check_hyperfocus", "check_rumination", "check_sycophancy", "check_tool_loop"] : [];
  const gate = name === "HTTP" ? ["check_message", "check_response"] : [];
  assert.deepEqual(tools.map((tool) => tool.name).sort(), [...gate, ...detectors, ...[...reads, ...writes].map((name) => `guardrails_${name}`)].sort());
  for (const tool of tools) {
    assert.equal(tool.annotations.readOnlyHint, detectors.includes(tool.name) || reads.includes(tool.name.slice("guardrails_".length)));
    assert.equal(tool.annotations.destructiveHint, ["update", "toggle", "delete", "import"].includes(tool.name.slice("guardrails_".length)));
  }

  const call = (tool, input) => client.callTool({ name: tool, arguments: input });
  const context = await call("guardrails_get_context", { agent: "backend", unknown: ["paths", "event"] });
  assert.equal(context.structuredContent.success, true);
  // A long answer is sent only once, with its instructions as text.
  const { text } = context.content[0];
  if (text.startsWith("{")) assert.deepEqual(JSON.parse(text), context.structuredContent);
  else assert.match(text, /the complete answer is in structuredContent/);
  const { guidelines } = (await call("guardrails_list", {})).structuredContent;
  assert.ok(guidelines.length > 0);
  const id = guidelines[0].id;
  assert.equal((await call("guardrails_get", { id })).structuredContent.guideline.id, id);
  assert.ok((await call("guardrails_explain", { agent: "nobody" })).structuredContent.guidelines.length > 0);
  const forced = await call("guardrails_explain_call", { command: "git push --force origin main" });
  assert.ok(forced.structuredContent.effects[0].events.includes("force_push"));
  const logged = await call("guardrails_log_decision", { guideline_id: id, context: { agent: "backend" }, result: "approved", reason: "a check" });
  assert.match(logged.structuredContent.audit_id, /^audit-/);
  const asked = await call("check_rumination", { current_prompt: "why does the build fail", history: [] });
  assert.equal(asked.structuredContent.detected, false);
  const refused = await call("check_message", { message: "Am I going to be sued?", dry_run: true });
  assert.equal(refused.structuredContent.safety.action, "BLOCK");
  const answered = await call("check_response", { response: "Mail anna@firma.de, she has the report.", dry_run: true });
  assert.equal(answered.structuredContent.response, "Mail [REDACTED-EMAIL], she has the report.");
  const mistake = await call("guardrails_get_context", { agnt: "backend" });
  assert.equal(mistake.isError, true);
  assert.match(mistake.content[0].text, /did you mean "agent"/);

  const notified = new Promise((resolve) => client.setNotificationHandler(ResourceListChangedNotificationSchema, resolve));
  await change(call, `by-${name.toLowerCase()}`);
  const { resources, tools: listed } = client.getServerCapabilities();
  assert.equal(Boolean(resources.listChanged && listed.listChanged), name === "stdio");
  if (name === "stdio") {
    await notified;
    const other = new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, resolve));
    fs.writeFileSync(".claude/guardrails.yaml", "detectors: {rumination: note}\n");
    await other;
    assert.ok((await client.listTools()).tools.some((tool) => tool.name === "check_rumination"));
    fs.rmSync(".claude/guardrails.yaml");
  }

  const all = await client.listResources();
  assert.equal(all.resources[0].uri, "guardrails://guidelines");
  const one = await client.readResource({ uri: `guardrails://guidelines/${id}` });
  assert.equal(JSON.parse(one.contents[0].text).guideline.id, id);
  const prompt = await client.getPrompt({ name: "write_guideline", arguments: { rule: "nobody deploys on Fridays" } });
  assert.match(prompt.messages[0].content.text, /nobody deploys on Fridays/);
  await client.close();
  console.log(`ok: TypeScript SDK over ${name}`);
}

const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== "NODE_OPTIONS"));
await use("stdio", new StdioClientTransport({ command, args, env: environment }));
await use("HTTP", new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));
