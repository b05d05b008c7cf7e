// Where docpin is, and how it is started as an HTTP server.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const docpin = process.env.DOCPIN ?? `${root}bin/docpin`;

// module is a file of an installed package.
export const module = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));

// startServer starts docpin on a free port. Its close fails if the server does not end as it should.
export async function startServer(...flags) {
  const child = spawn(docpin, ['serve', '--http', '127.0.0.1:0', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  process.once('exit', () => child.kill());
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  const log = [];
  const url = await new Promise((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      log.push(line);
      const found = line.match(/ mcp=(http:\S+)/);
      if (found) resolve(found[1]);
    });
    child.once('error', reject);
    ended.then((code) => reject(new Error(`docpin ended with ${code}: ${log.join('\n')}`)));
  });
  return {
    mcp: url,
    base: new URL(url).origin,
    log,
    async close() {
      child.kill('SIGTERM');
      const code = await ended;
      if (code !== 0) throw new Error(`docpin ended with ${code}: ${log.join('\n')}`);
    },
  };
}
