/*
 * The ratchet of the size of `src`: lines of TypeScript per room. `npx tsx test/budget.ts` prints what is measured,
 * `--write` lowers the figures of `budget.json` to it; a room that needs more is raised there by hand.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SRC = resolve(import.meta.dirname, '../src');
const KEPT = resolve(import.meta.dirname, 'budget.json');

/** Lines per folder directly below `src`, or per file there. */
type Budget = Readonly<Record<string, number>>;

export function readBudget(): Budget {
  return JSON.parse(readFileSync(KEPT, 'utf8'));
}

export function measureSources(): Budget {
  const rooms: Record<string, number> = {};
  const names = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  for (const name of names.filter((file) => /\.tsx?$/.test(file)).sort()) {
    const room = name.split('/')[0] ?? name;
    rooms[room] = (rooms[room] ?? 0) + readFileSync(join(SRC, name), 'utf8').trimEnd().split('\n').length;
  }
  return rooms;
}

if (process.argv[1] === import.meta.filename) {
  const rooms = measureSources();
  if (process.argv.includes('--write')) {
    const kept = readBudget();
    const lowered = Object.entries(rooms).map(([room, lines]) => [
      room,
      Math.min(lines, kept[room] ?? lines),
    ]);
    writeFileSync(KEPT, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
  }
  const total = Object.values(rooms).reduce((sum, lines) => sum + lines, 0);
  const rows = Object.entries(rooms).map(([room, lines]) => `${room.padEnd(10)}${String(lines).padStart(6)}`);
  process.stdout.write(`${rows.join('\n')}\n${total} lines\n`);
}
