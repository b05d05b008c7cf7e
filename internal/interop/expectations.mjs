// What every client must get, whatever its transport. A client here is { list, call }: list gives the tools, call gives
// { text, structured, isError } of a tool's answer. Checks run in order, since later ones use what earlier ones found.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { root } from './docpin.mjs';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

// canonical is the canonical JSON (RFC 8785) of a value without fractions.
function canonical(v) {
  if (Array.isArray(v)) return `[${v.map(canonical).join()}]`;
  if (v === null || typeof v !== 'object') return JSON.stringify(v);
  return `{${Object.keys(v).sort().map((k) => `${JSON.stringify(k)}:${canonical(v[k])}`).join()}}`;
}
const digest = (v) => sha256(canonical(v));

const published = (name) => JSON.parse(readFileSync(`${root}gen/published/${name}.json`));

// succeed makes a call and checks what holds of every answer: one text, equal to the structured content byte for byte, and
// sealed by its digest.
async function succeed(client, tool, args) {
  const { text, structured, isError } = await client.call(tool, args);
  assert.ok(!isError, text);
  const { result_sha256, ...record } = JSON.parse(text);
  assert.equal(digest(record), result_sha256, 'result_sha256');
  assert.equal(canonical(structured), text, 'structured content and text');
  return { ...structured, text_of_answer: text };
}

async function search(client, args) {
  const r = await succeed(client, 'search_documentation', args);
  const { k = 2, format = 'results', ...rest } = args;
  const request = { corpus_id: r.corpus_id, k, ...rest, ...(format !== 'results' && { format }) };
  assert.equal(r.search_request_id, digest(request), 'search_request_id');
  assert.equal(r.format ?? 'results', format, 'format');
  return r;
}

async function read(client, args) {
  const r = await succeed(client, 'read_documentation', args);
  assert.equal(sha256(r.text), r.text_sha256, 'text_sha256');
  assert.equal(Buffer.byteLength(r.text), r.byte_count, 'byte_count');
  assert.equal(r.read_request_id, digest({ search_request_id: r.search_request_id, read_token: r.read_token }), 'read_request_id');
  return r;
}

// refused makes a call that is refused, by docpin and with isError.
async function refused(client, tool, args, code, pointer) {
  const { text, structured, isError } = await client.call(tool, args);
  assert.ok(isError, `not refused: ${text}`);
  assert.equal(structured, undefined, 'a refusal has no structured content');
  const refusal = JSON.parse(text);
  assert.deepEqual([refusal.code, refusal.pointer], [code, pointer], text);
  return { text_of_answer: text };
}

const query = { query: 'read text', version: '3.12' };
const swap = (text, i) => text.slice(0, i) + (text[i] === 'A' ? 'B' : 'A') + text.slice(i + 1);
const zeros = '0'.repeat(64);
const S = 'search_documentation';
const R = 'read_documentation';

// checks are names and functions of a client and of what was found so far, by name of check. Each returns its answer, whose
// text is the same for all clients and transports.
export const checks = {
  async list(client) {
    const tools = (await client.list()).sort((a, b) => (a.name < b.name ? -1 : 1));
    assert.deepEqual(tools.map((t) => t.name), [R, S]);
    for (const t of tools) {
      assert.deepEqual(t.inputSchema, published(`${t.name}.input`), 'input schema');
      if (t.outputSchema) assert.deepEqual(t.outputSchema, published(`${t.name}.output`), 'output schema');
    }
  },
  async results(client) {
    const r = await search(client, query);
    assert.deepEqual(r.results.map((h) => h.rank), [1, 2]);
    for (const { read_token, ...handle } of r.results) assert.equal(digest(handle), read_token, 'read_token');
    return r;
  },
  async page(client, { results }) {
    const r = await search(client, { ...query, cursor: results.next_cursor });
    assert.deepEqual(r.results.map((h) => h.rank), [3, 4]);
    return r;
  },
  async stubs(client) {
    const r = await search(client, { ...query, k: 5, format: 'stubs' });
    assert.deepEqual([r.stubs.length, r.results.length, r.hubs.length > 0], [5, 0, true]);
    return r;
  },
  async bodies(client, { results }) {
    const r = await search(client, { ...query, format: 'bodies', max_bytes: 4096 });
    assert.equal(r.bodies.length + (r.omitted ?? []).length, 2);
    assert.equal(sha256(r.bodies[0].text), results.results[0].text_sha256, 'the first body is the first hit');
    return r;
  },
  async handle(client, { results }) {
    const r = await read(client, { handle: results.results[0] });
    assert.equal(r.read_token, results.results[0].read_token);
    return r;
  },
  async token(client, { results, handle }) {
    const r = await read(client, { read_token: results.results[0].read_token });
    assert.deepEqual(r, handle, 'by token and by handle');
    return r;
  },
  async next(client, { token, bodies }) {
    const from = token ?? bodies.bodies[0];
    const r = await read(client, { read_token: from.next_read_token });
    assert.deepEqual([r.source_id, r.start_line], [from.source_id, from.end_line + 1]);
    return r;
  },
  'no such format': (c) => refused(c, S, { ...query, format: 'pages' }, 'invalid_arguments', '/format'),
  'stubs, no query': (c) => refused(c, S, { version: '3.12', format: 'stubs' }, 'invalid_arguments', '/query'),
  'bodies, no query': (c) => refused(c, S, { version: '3.12', format: 'bodies' }, 'invalid_arguments', '/query'),
  'stubs, cursor': (c, { results }) => refused(c, S, { ...query, format: 'stubs', cursor: results.next_cursor }, 'invalid_arguments', '/cursor'),
  'forged cursor': (c, { results }) => refused(c, S, { ...query, cursor: swap(results.next_cursor, 5) }, 'invalid_cursor', '/cursor'),
  'unissued token': (c) => refused(c, R, { read_token: zeros }, 'unissued_search_receipt', '/read_token'),
  'unissued handle': (c, { results }) => refused(c, R, { handle: { ...results.results[0], search_request_id: zeros } }, 'unissued_search_receipt', '/handle/search_request_id'),
  'stale corpus': (c, { results }) => refused(c, R, { handle: { ...results.results[0], corpus_id: zeros } }, 'stale_corpus', '/handle/corpus_id'),
  'edited handle': (c, { results }) => refused(c, R, { handle: { ...results.results[0], end_line: results.results[0].end_line + 1 } }, 'invalid_read_handle', '/handle/end_line'),
};
