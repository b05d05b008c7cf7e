// Runs every client, or those whose name holds the argument, and prints a table of clients and checks. Each answer must be
// the same text for all clients and over all transports.
import { clients } from './clients.mjs';
import { startServer } from './docpin.mjs';
import { checks } from './expectations.mjs';
import { closing, deadline, Notes, table } from './report.mjs';

deadline('interop', 6);
const names = Object.keys(checks);
const texts = {}; // of the first client's answers
const notes = new Notes();
const faults = [];
const rows = [];

async function run(c) {
  const cells = names.map(() => 'FAIL');
  let server, client;
  try {
    server = c.http && (await startServer());
    client = await c.open(server?.mcp);
    const found = {};
    for (const [i, name] of names.entries()) {
      const not = c.not?.[name];
      try {
        found[name] = await checks[name](client, found);
        const text = found[name]?.text_of_answer;
        if (text !== undefined && (texts[name] ??= text) !== text) throw new Error(`the first client has another answer than ${text}`);
        if (not) throw new Error(`made the check, yet ${not.why}`);
        cells[i] = 'ok';
      } catch (err) {
        if (not?.says.test(err.message)) {
          cells[i] = notes.mark(not.why);
        } else {
          faults.push(`${c.name}: ${name}: ${err.message}`);
        }
      }
    }
  } catch (err) {
    faults.push(`${c.name}: ${err.stack}`);
  }
  await client?.close();
  await server?.close?.().catch((err) => faults.push(`${c.name}: ${err.message}`));
  rows.push([c.name, ...cells]);
  console.log(`${c.name}: ${cells.filter((x) => x === 'ok').length} of ${names.length}`);
}

for (const c of clients.filter((c) => c.name.includes(process.argv[2] ?? ''))) await run(c);
table(['client', ...names], rows);
notes.print();
const cells = rows.flatMap((r) => r.slice(1));
closing('interop', cells.filter((x) => x === 'ok').length, faults, cells.filter((x) => x[0] === '(').length);
