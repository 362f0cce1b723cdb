// The reference TypeScript client as an agent: calls tools one after the other and prints each result as a line.
//
//   node agent.mjs '{"url": …, "token": …}' '[["ask_choice", {…}], …]'          over HTTP
//   node agent.mjs '{"command": …, "args": […]}' '[["ask_choice", {…}], …]'    over stdio
//   … '{"elicit": {"action": "accept", "content": {…}}}'                       a client that can show forms
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [transport, calls, options = "{}"] = process.argv.slice(2);
const { url, token, command, args } = JSON.parse(transport);
const { elicit, name = "ts-agent" } = JSON.parse(options);

const client = new Client({ name, version: "1" }, { capabilities: elicit ? { elicitation: { form: {} } } : {} });
if (elicit) client.setRequestHandler(ElicitRequestSchema, async () => elicit);
await client.connect(
  url
    ? new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { Authorization: `Bearer ${token}` } },
      })
    : new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" }),
);
// With its tools listed, the client checks each result against the output schema.
const { tools } = await client.listTools();
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name) }));
let beats = 0;
for (const [tool, input] of JSON.parse(calls)) {
  const result = await client.callTool({ name: tool, arguments: input }, undefined, {
    timeout: 60_000,
    resetTimeoutOnProgress: true,
    onprogress: () => beats++,
  });
  console.log(JSON.stringify({ tool, ...result, beats }));
}
await client.close();
