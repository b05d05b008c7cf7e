// What the programs of this folder print at their end.

// table prints rows. Heads longer than eight characters stand below, by number.
export function table(heads, rows) {
  const short = heads.map((h, i) => (h.length <= 8 ? h : `${i}`));
  const width = heads.map((_, i) => Math.max(...[short, ...rows].map((r) => String(r[i]).length)));
  const line = (cells) => console.log(cells.map((c, i) => String(c).padEnd(width[i])).join('  ').trimEnd());
  console.log();
  line(short);
  for (const r of rows) line(r);
  heads.forEach((h, i) => short[i] !== h && console.log(`${String(i).padStart(4)} ${h}`));
  console.log();
}

// notes numbers texts, and prints them.
export class Notes {
  texts = [];

  mark(text) {
    if (!this.texts.includes(text)) this.texts.push(text);
    return `(${this.texts.indexOf(text) + 1})`;
  }

  print() {
    this.texts.forEach((text) => console.log(`${this.mark(text)} ${text}`));
  }
}

// closing prints faults and counts, and ends the process.
export function closing(name, passed, faults, skipped) {
  for (const f of faults) console.log(`FAIL ${f}\n`);
  console.log(`${name}: ${passed} passed, ${faults.length} failed, ${skipped} skipped`);
  process.exit(faults.length > 0 || passed === 0 ? 1 : 0);
}

// deadline ends the process with a fault if it is not done by then.
export function deadline(name, minutes) {
  setTimeout(() => closing(name, 0, [`not done after ${minutes} minutes`], 0), minutes * 60_000).unref();
}
