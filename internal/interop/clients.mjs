// The clients, each as { name, open, not }. open returns { list, call, close } over a fresh docpin: a child process of the
// client, or the server at url. not says, by check, why a client cannot make it, and what the failure must say.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createRuntime } from 'mcporter';
import { docpin, module } from './docpin.mjs';

const self = { name: 'docpin-interop', version: '1' };
const child = { command: docpin, args: ['serve'] };
const answer = (r) => {
  if (r.content.length !== 1 || r.content[0].type !== 'text') throw new Error(`want one text: ${JSON.stringify(r.content)}`);
  return { text: r.content[0].text, structured: r.structuredContent, isError: r.isError ?? false };
};

async function sdk(transport) {
  const c = new Client(self);
  await c.connect(transport);
  return {
    list: async () => (await c.listTools()).tools,
    call: async (name, args) => answer(await c.callTool({ name, arguments: args })),
    close: () => c.close(),
  };
}

async function client2(version, transport) {
  const c = new Client2(self, { versionNegotiation: { mode: version === '2025-11-25' ? 'legacy' : { pin: version } } });
  await c.connect(transport);
  if (c.getNegotiatedProtocolVersion() !== version) throw new Error(`protocol version is ${c.getNegotiatedProtocolVersion()}, want ${version}`);
  return {
    list: async () => (await c.listTools()).tools,
    call: async (name, args) => answer(await c.callTool({ name, arguments: args })),
    close: () => c.close(),
  };
}

async function aiSDK(transport) {
  const c = await createMCPClient({ transport });
  const tools = await c.tools();
  return {
    list: async () => (await c.listTools()).tools,
    call: async (name, args) => answer(await tools[name].execute(args, { toolCallId: '1', messages: [] })),
    close: () => c.close(),
  };
}

async function langchain(server) {
  const c = new MultiServerMCPClient({ mcpServers: { docpin: server }, });
  const tools = Object.fromEntries((await c.getTools()).map((t) => [t.name, t]));
  return {
    list: async () => Object.values(tools).map((t) => ({ name: t.name, inputSchema: t.schema })),
    async call(name, args) {
      try {
        const { text, structuredContent } = await tools[name].invoke(args);
        return { text, structured: structuredContent, isError: false };
      } catch (err) {
        const said = err.message.match(/returned an error: (.*)$/s);
        if (!said) throw err;
        return { text: said[1], isError: true };
      }
    },
    close: () => c.close(),
  };
}

async function mcporter(server) {
  const quiet = () => {};
  const r = await createRuntime({ servers: [{ name: 'docpin', ...server }], logger: { info: quiet, warn: quiet, error: quiet, debug: quiet } });
  return {
    list: () => r.listTools('docpin', { includeSchema: true }),
    call: async (name, args) => answer(await r.callTool('docpin', name, { args })),
    close: () => r.close(),
  };
}

// The inspector starts anew for each request.
function inspector(era, ...target) {
  const run = (...args) =>
    new Promise((resolve, reject) => {
      const p = spawn(process.execPath, [module('@modelcontextprotocol/inspector/clients/launcher/build/index.js'), '--cli', ...target, '--protocol-era', era, '--format', 'json', '--quiet', ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, HOME: scratch },
      });
      const out = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr']) p[name].setEncoding('utf8').on('data', (text) => (out[name] += text));
      p.once('close', () => {
        try {
          resolve(JSON.parse(out.stdout).result);
        } catch {
          reject(new Error(out.stderr || out.stdout));
        }
      });
    });
  return {
    list: async () => (await run('--method', 'tools/list')).tools,
    call: async (name, args) => answer(await run('--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args))),
    close() {},
  };
}

const scratch = mkdtempSync(`${tmpdir()}/docpin-interop-`);
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const stdio = { stderr: 'ignore' };
const http = (url) => ({ type: 'http', url });
const never = (why, says, ...names) => Object.fromEntries(names.map((name) => [name, { why, says }]));
const ownCheck = never('the client checks arguments against the input schema and does not send these', /did not match expected schema/, 'no such format', 'stubs, no query', 'bodies, no query');
const newProcess = never(
  'the client starts docpin anew for each call, and a new docpin has issued nothing: it says unissued_search_receipt',
  /"code":"unissued_search_receipt"/, 'handle', 'token', 'next', 'edited handle',
);

export const clients = [
  { name: 'sdk 1, stdio', open: () => sdk(new StdioClientTransport({ ...child, ...stdio })) },
  { name: 'sdk 1, http', http: true, open: (url) => sdk(new StreamableHTTPClientTransport(new URL(url))) },
  ...['2025-11-25', '2026-07-28'].flatMap((version) => [
    { name: `client 2 ${version}, stdio`, open: () => client2(version, new Stdio2({ ...child, ...stdio })) },
    { name: `client 2 ${version}, http`, http: true, open: (url) => client2(version, new Http2(new URL(url))) },
  ]),
  { name: 'inspector 2025-11-25, stdio', open: () => inspector('legacy', docpin, 'serve'), not: newProcess },
  { name: 'inspector 2026-07-28, http', http: true, open: (url) => inspector('modern', url) },
  { name: 'ai-sdk, stdio', open: () => aiSDK(new Experimental_StdioMCPTransport({ ...child, ...stdio })) },
  { name: 'ai-sdk, http', http: true, open: (url) => aiSDK(http(url)) },
  { name: 'langchain, stdio', open: () => langchain({ transport: 'stdio', ...child, ...stdio }), not: ownCheck },
  { name: 'langchain, http', http: true, open: (url) => langchain({ transport: 'http', url }), not: ownCheck },
  { name: 'mcporter, stdio', open: () => mcporter({ command: { kind: 'stdio', ...child, cwd: process.cwd() } }) },
  { name: 'mcporter, http', http: true, open: (url) => mcporter({ command: { kind: 'http', url: new URL(url) } }) },
  {
    name: 'sdk 1 by mcp-remote', http: true,
    open: (url) => sdk(new StdioClientTransport({ command: process.execPath, args: [module('mcp-remote/dist/proxy.js'), url], env: { ...process.env, MCP_REMOTE_CONFIG_DIR: scratch }, ...stdio })),
  },
];
