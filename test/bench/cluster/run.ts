/**
 * What several processes cost and how soon they recover (`npm run bench:cluster`), over PostgreSQL with fsync, Redis with
 * an append-only file and a folder of files; photos, models and reports are stand-ins. Names choose from `cycles` and
 * `recovery`. Prints one JSON document.
 */
import { loadavg } from 'node:os';
import { measureCycles, measureRecovery } from './members.ts';

const names = process.argv.slice(2);
const wanted = (name: string) => names.length === 0 || names.includes(name);
const loadStart = loadavg()[0];
const report = {
  ...(wanted('cycles') ? { cycles: await measureCycles() } : {}),
  ...(wanted('recovery') ? { recovery: await measureRecovery() } : {}),
};
const load = [loadStart, loadavg()[0]].map((one) => one?.toFixed(1));
process.stdout.write(`${JSON.stringify({ ...report, load }, null, 2)}\n`);
