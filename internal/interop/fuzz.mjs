// Sends random requests, made from the OpenAPI document, to docpin and holds every answer to the document: status, type of
// content and body. What the document allows must not be refused for its form, and what it does not allow must be refused.
// Arguments: how many requests at least (5000), and a seed (1).
import Ajv from 'ajv/dist/2020.js';
import http from 'node:http';
import { startServer } from './docpin.mjs';
import { closing, deadline, table } from './report.mjs';

deadline('openapi', 6);
const total = Number(process.argv[2] ?? 5000);
const seed = Number(process.argv[3] ?? 1);
const lanes = 8;
const maxBody = 16 << 10;

// random is mulberry32: the same seed gives the same requests.
let state = seed;
function random() {
  let t = (state = (state + 0x6d2b79f5) | 0);
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const below = (n) => Math.floor(random() * n);
const pick = (list) => list[below(list.length)];
const chance = (p) => random() < p;

const server = await startServer('--max-body-bytes', String(maxBody), '--body-timeout', '1s', '--header-timeout', '1s', '--max-header-bytes', '8192');
const agent = new http.Agent({ keepAlive: true, maxSockets: lanes * 2 });

// send makes one request. A slow one says that more of its body is to come, and sends no more.
function send({ method, path, headers = {}, body, slow }) {
  return new Promise((resolve, reject) => {
    const r = http.request(server.base + '/', { method, path, headers, agent, setHost: !('Host' in headers) }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: answer.statusCode, headers: answer.headers, type: (answer.headers['content-type'] ?? '').split(';')[0], text });
      });
    });
    r.on('error', reject);
    if (body !== undefined) r.write(body);
    if (!slow) r.end();
  });
}

const doc = JSON.parse((await send({ method: 'GET', path: '/openapi.json' })).text);
const ajv = new Ajv({ strict: false });
const resolve = (s) => (s.$ref ? doc.components.schemas[s.$ref.split('/').pop()] : s);
const compiled = new Map();
function fits(schema, value) {
  schema = resolve(schema);
  if (!compiled.has(schema)) compiled.set(schema, ajv.compile(schema));
  const check = compiled.get(schema);
  return check(value) ? '' : ajv.errorsText(check.errors);
}

const operations = Object.entries(doc.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, op]) => {
    const parameters = op.parameters ?? [];
    const body = op.requestBody && resolve(op.requestBody.content['application/json'].schema);
    const query = {
      type: 'object', additionalProperties: false, required: parameters.filter((p) => p.required).map((p) => p.name),
      properties: Object.fromEntries(parameters.map((p) => [p.name, p.schema])),
    };
    return { path, method: method.toUpperCase(), op, body, query, seen: {} };
  }),
);

// What earlier answers gave: handles and tokens to read, cursors, ETags.
const pools = {
  query: ['read text', 'path', 'write_bytes', 'zzunmatched', 'glob', 'a b c d', 'é', '😀', '"quoted" AND -x'],
  version: ['3.12', '3.12', '3.13', '0.1', '9.99'],
  library: ['python', 'docpin', 'other/lib'],
  cursor: [], read_token: ['0'.repeat(64)], handle: [], etag: ['"x"', 'W/"y"', '*', ''], again: [],
};
const keep = (name, value) => value !== undefined && pools[name].push(value) > 200 && pools[name].splice(below(200), 1);
function harvest(request, answer) {
  keep('etag', answer.headers.etag);
  if (answer.headers.etag && request.method === 'GET') keep('again', { ...request, headers: { ...request.headers, 'If-None-Match': answer.headers.etag } });
  if (answer.type !== 'application/json' || !answer.text.startsWith('{')) return;
  const r = JSON.parse(answer.text);
  keep('cursor', r.next_cursor);
  keep('read_token', r.next_read_token);
  for (const h of r.results ?? []) {
    keep('handle', h);
    keep('read_token', h.read_token);
  }
}

const strings = ['', ' ', 'x', 'é', '\u0000', '\u2028', '😀', 'a  b', ' a', 'latest', '../x', 'null', '1', '-1', '2.0', '1e1', '1e400', 'true', '[]', '{}', 'x'.repeat(65), 'x'.repeat(600), 'y '.repeat(20), '0'.repeat(64)];
const anything = [null, true, false, 0, -1, 1.5, 2 ** 53, 1e300, [], {}, [1], { a: 1 }, ...strings];

// valid gives a value that a member's schema allows, mostly.
function valid(name, schema) {
  if (pools[name]?.length && chance(0.9)) return pick(pools[name]);
  if (schema.enum) return pick(schema.enum);
  if (schema.type === 'integer') return schema.minimum + below(Math.min(schema.maximum - schema.minimum + 1, 12) || 1);
  if (schema.type === 'string') return 'x'.repeat(1 + below(Math.min(schema.maxLength, 20)));
  if (schema.type === 'object') return Object.fromEntries(Object.entries(schema.properties).map(([n, s]) => [n, valid(n, s)]));
  return pick(anything);
}

// anArgument gives arguments, as pairs since some are given twice, and often wrong.
function argumentsOf(schema) {
  let members = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name) || chance(0.25));
  if (schema.maxProperties === 1) members = [pick(Object.entries(schema.properties))];
  const pairs = members.map(([name, s]) => [name, valid(name, s)]);
  while (chance(0.35)) {
    const i = below(pairs.length);
    const name = pick(Object.keys(schema.properties).concat('x', 'Query', 'query ', '', '__proto__'));
    const change = schema.properties.handle && chance(0.5) ? 4 : below(5);
    if (change === 0 || pairs.length === 0) pairs.push([name, pick(anything)]);
    else if (change === 1) pairs.splice(i, 1);
    else if (change === 2) pairs.push([...pairs[i]]);
    else if (change === 3) pairs[i] = [pairs[i][0], pick(anything)];
    else if (typeof pairs[i][1] === 'object' && pairs[i][1] !== null) {
      const part = { ...pairs[i][1] };
      const member = pick(Object.keys(part).concat('x', 'corpus_id', 'search_request_id'));
      chance(0.3) ? delete part[member] : (part[member] = chance(0.5) ? pick(anything) : typeof part[member] === 'number' ? part[member] + 1 : '0'.repeat(64));
      pairs[i] = [pairs[i][0], part];
    } else pairs[i] = [name, pairs[i][1]];
  }
  return pairs;
}

const lone = (pairs) => new Set(pairs.map(([name]) => name)).size === pairs.length;
const objectOf = (pairs) => Object.defineProperties({}, Object.fromEntries(pairs.map(([name, value]) => [name, { value, enumerable: true, configurable: true, writable: true }])));

// aQuery gives the text of a query, and whether the document allows it.
function aQuery(schema) {
  const pairs = argumentsOf(schema).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  let text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${chance(0.1) ? encodeURIComponent(value).replaceAll('%20', '+') : encodeURIComponent(value)}`).join('&');
  const number = (name, value) => (schema.properties[name]?.type === 'integer' && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : value);
  let allowed = lone(pairs) && fits(schema, objectOf(pairs.map(([name, value]) => [name, number(name, value)]))) === '';
  if (chance(0.04)) {
    text += pick(['&%', '&x=%zz', '&query=%ff', '&version=%ed%a0%80', '&=', '&query', '&a;b=c']);
    allowed = false;
  }
  return { text, allowed };
}

// aBody gives the text of a body, and whether the document allows it.
function aBody(schema) {
  const pairs = argumentsOf(schema);
  const text = `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
  const allowed = lone(pairs) && fits(schema, objectOf(pairs)) === '';
  if (chance(0.85)) return { text, allowed };
  return { allowed: false, text: pick([
    '', ' ', 'null', '[]', '"x"', '1', '{', '{}{}', `${text}x`, text.slice(0, -1), `\ufeff${text}`, `[${text}]`, '['.repeat(2000), `{"k":1e400,${text.slice(1)}`,
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), text.replace('{', '{"query":"\\ud800",'), text.padEnd(maxBody + 1 + below(4096)), `{"x":"${'x'.repeat(maxBody)}"}`,
  ]) };
}

function aRequest() {
  if (pools.again.length > 0 && chance(0.05)) return pick(pools.again);
  const target = chance(0.1) ? operations.find((o) => o.path === '/v1/read') : pick(operations);
  const r = { target, method: target.method, path: target.path, headers: {}, allowed: true };
  if (chance(0.05)) r.method = pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH']);
  else if (r.method === 'GET' && chance(0.05)) r.method = 'HEAD';
  if (chance(0.02)) r.path = pick(['/', '/v1', '/v1/', '/v1/search/', '/v2/search', '/V1/search', '//v1/search', '/v1/../v1/search', '/v1/%73earch', '/openapi.yaml', '/v1/read/x']);
  if (target.op.parameters || chance(0.05)) {
    const { text, allowed } = aQuery(target.query);
    if (text) r.path += `?${text}`;
    r.allowed &&= target.op.parameters ? allowed : !text;
  }
  if (target.body || chance(0.02)) {
    const { text, allowed } = aBody(target.body ?? target.query);
    r.body = text;
    r.headers['Content-Type'] = chance(0.93) ? pick(['application/json', 'application/json', 'application/json; charset=utf-8', 'Application/JSON']) : pick(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp', 'application/json;;', '', '/']);
    if (target.body) r.allowed &&= allowed && /^application\/json(; charset=utf-8)?$/i.test(r.headers['Content-Type']);
    if (chance(0.5) || r.method !== 'POST') r.headers['Content-Length'] = Buffer.byteLength(r.body); // else in chunks
    if (target.body && chance(0.02)) {
      r.headers['Content-Length'] = Buffer.byteLength(r.body) + 10;
      r.slow = true;
      r.allowed = false;
    }
  }
  if (target.path !== decodeURIComponent(r.path.split('?')[0])) r.allowed = undefined;
  const odd = (p, name, values) => {
    const on = chance(p);
    if (on) r.headers[name] = pick(values);
    return on;
  };
  odd(0.1, 'If-None-Match', pools.etag);
  odd(0.05, 'Accept', ['application/json', 'text/html', '*/*', 'x', '']);
  odd(0.02, 'Accept-Encoding', ['gzip', 'br, zstd', '*;q=0']);
  odd(0.02, 'Range', ['bytes=0-9', 'x']);
  odd(0.02, 'X-Forwarded-Host', ['evil.example']);
  // To HEAD, net/http answers a bad host and long headers with a body, which a client can't read.
  if (r.method !== 'HEAD' && odd(0.02, 'Host', ['evil.example', 'localhost', '127.0.0.1:1', '[::1]', 'a b', ''])) r.allowed &&= !['evil.example', 'a b', ''].includes(r.headers.Host);
  if (odd(0.02, 'Origin', ['https://evil.example', 'null', server.base, 'x'])) r.allowed &&= r.headers.Origin === server.base && !r.headers.Host;
  if (r.method !== 'HEAD' && odd(0.01, 'X-Long', ['x'.repeat(16 << 10)])) r.allowed = false;
  if (r.method === 'OPTIONS') odd(0.5, 'Access-Control-Request-Method', ['GET', 'POST']);
  return r;
}

// fault returns what of an answer the document does not have, or an empty text.
function fault(r, a) {
  const path = decodeURIComponent(r.path.split('?')[0]);
  const method = r.method === 'HEAD' ? 'GET' : r.method;
  const o = operations.find((o) => o.path === path && o.method === method);
  if (!o) { // not in the document: no such path, or another method of a path
    if (a.type === 'text/plain' && [400, 431].includes(a.status)) return '';
    const problem = r.method === 'HEAD' ? '' : a.type !== 'application/problem+json' ? `type is ${a.type}` : fits(doc.components.schemas.Problem, JSON.parse(a.text));
    const known = operations.some((o) => o.path === path);
    if (a.status === 204 && r.method === 'OPTIONS' && r.headers['Access-Control-Request-Method']) return a.text;
    if (![403, known ? 405 : 404].includes(a.status)) return 'want 403, 404 or 405';
    return problem || (a.status === 405 && !a.headers.allow ? 'no Allow' : '');
  }
  o.seen[a.status] = (o.seen[a.status] ?? 0) + 1;
  const said = o.op.responses[a.status];
  if (!said) return 'the status is not in the document';
  for (const name of Object.keys(said.headers ?? {})) if (!a.headers[name.toLowerCase()]) return `no header ${name}`;
  if (said.content && !said.content[a.type]) return `the type ${a.type} is not in the document`;
  if (!said.content && a.type) return `the type ${a.type} of an answer without content`;
  if (r.method === 'HEAD' || !said.content) {
    if (a.text) return 'a body where there is none';
  } else {
    const why = fits(said.content[a.type].schema, a.type === 'text/plain' ? a.text : JSON.parse(a.text));
    if (why) return why;
  }
  if (o !== r.target || r.allowed === undefined) return ''; // made for another route
  if (a.status < 400 && !r.allowed) return 'an answer to what the document does not allow';
  // The document can't say that a member goes with one format only.
  if (a.status === 400 && r.allowed && r.method !== 'HEAD' && /^\/(cursor|max_bytes)$/.test(JSON.parse(a.text).refusal?.pointer)) return '';
  if (a.status === 400 && r.allowed && r.method !== 'HEAD' && JSON.parse(a.text).refusal?.code === 'library_required') return '';
  if ([400, 403, 408, 413, 415, 431].includes(a.status) && r.allowed && r.method !== 'HEAD') return 'refused, though the document allows it';
  if (a.status >= 500) return 'a fault of the server';
  return '';
}

const faults = [];
let passed = 0;
let begun = 0;
// unseen are the statuses that the document has and no answer had. A fault of the server and a lack of slots are not for
// this program to make.
const unseen = () => operations.flatMap((o) => Object.keys(o.op.responses).filter((s) => !['500', '503'].includes(s) && !o.seen[s]).map((s) => `${o.method} ${o.path} ${s}`));

// lane goes on until there were enough requests and every status was seen, but not for ever.
async function lane() {
  while ((begun < total || (unseen().length > 0 && begun < 10 * total)) && faults.length < 20) {
    begun++;
    const r = aRequest();
    const { target, ...request } = r;
    const shown = JSON.stringify(request, (_, v) => (typeof v === 'string' && v.length > 200 ? `${v.slice(0, 40)}… (${v.length})` : v));
    try {
      const a = await send(r);
      const why = fault(r, a);
      if (why) faults.push(`${why}: ${shown}: ${a.status} ${a.text.slice(0, 600)}`);
      else passed++;
      if (a.status === 200 && r.method !== 'HEAD') harvest(r, a);
    } catch (err) {
      faults.push(`${err.message}: ${shown}`);
    }
  }
}
await Promise.all(Array.from({ length: lanes }, lane));
agent.destroy();
await server.close();

const statuses = [...new Set(operations.flatMap((o) => [...Object.keys(o.op.responses), ...Object.keys(o.seen)]))].sort();
table(['operation', ...statuses], operations.map((o) => [`${o.method} ${o.path}`, ...statuses.map((s) => o.seen[s] ?? (o.op.responses[s] ? 0 : '-'))]));
for (const u of unseen()) faults.push(`${u} is in the document and was never seen`);
console.log(`${begun} requests, seed ${seed}`);
closing('openapi', passed, faults, 0);
