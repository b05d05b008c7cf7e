// Runs the official conformance suites against docpin at /mcp. What does not succeed has to stand in
// conformance.baseline.txt with a reason, and what stands there has not to succeed.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { module, startServer } from './docpin.mjs';
import { closing, deadline, Notes, table } from './report.mjs';

deadline('conformance', 6);
const revisions = ['2025-11-25', '2026-07-28'];

// baseline gives reasons by "REVISION SCENARIO CHECK".
const baseline = new Map();
let reason = '';
for (const line of readFileSync(new URL('conformance.baseline.txt', import.meta.url), 'utf8').split('\n')) {
  if (line.startsWith('# ')) reason = line.slice(2);
  else if (line) baseline.set(line.trim(), reason);
}

// run returns the checks of all scenarios of a revision that is not an extension, by scenario.
async function run(revision, url) {
  const out = mkdtempSync(`${tmpdir()}/docpin-conformance-`);
  const suite = module(`conformance-${revision}/dist/index.js`);
  const child = spawn(process.execPath, [suite, 'server', '--url', url, '--suite', 'all', '--spec-version', revision, '--output-dir', out], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve)); // its code counts what is in the baseline
  const results = readdirSync(out).map((name) => [name.match(/^server-(.*)-\d{4}-\d\d-\d\dT/)[1], JSON.parse(readFileSync(`${out}/${name}/checks.json`))]);
  rmSync(out, { recursive: true });
  return results;
}

const rows = [];
const notes = new Notes();
const faults = [];
let passed = 0;
const unused = new Set(baseline.keys());
for (const revision of revisions) {
  const server = await startServer();
  for (const [scenario, checks] of await run(revision, server.mcp)) {
    const row = [`${revision} ${scenario}`, 0, 0, ''];
    rows.push(row);
    const why = new Set();
    for (const c of checks.filter((c) => c.status !== 'INFO')) {
      const key = `${revision} ${scenario} ${c.id}`;
      unused.delete(key);
      const known = baseline.get(key);
      if (c.status === 'SUCCESS') {
        passed++;
        row[1]++;
        if (known) faults.push(`${key} succeeds; take it out of the baseline`);
      } else {
        row[2]++;
        why.add(known ? notes.mark(known) : 'FAIL');
        if (!known) faults.push(`${key}: ${c.status} ${c.errorMessage ?? JSON.stringify(c.details)}`);
      }
    }
    row[3] = [...why].join(' ');
  }
  await server.close();
}
for (const key of unused) faults.push(`${key} is in the baseline and was not checked`);
table(['scenario', 'ok', 'not', 'why not'], rows);
notes.print();
closing('conformance', passed, faults, baseline.size);
