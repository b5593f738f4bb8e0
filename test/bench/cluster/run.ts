/**
 * Measures the cost and recovery time of several processes (`npm run bench:cluster`), on PostgreSQL with fsync and a
 * folder of files; photos, models and reports are stand-ins. Arguments select from `cycles`, `start` and `recovery`.
 * Prints one JSON document.
 */
import { loadavg } from 'node:os';
import { measureCycles, measureRecovery, measureStart } from './members.ts';

const names = process.argv.slice(2);
const wanted = (name: string) => names.length === 0 || names.includes(name);
const loadStart = loadavg()[0];
const report = {
  ...(wanted('cycles') ? { cycles: await measureCycles() } : {}),
  ...(wanted('start') ? { start: await measureStart() } : {}),
  ...(wanted('recovery') ? { recovery: await measureRecovery() } : {}),
};
const load = [loadStart, loadavg()[0]].map((one) => one?.toFixed(1));
process.stdout.write(`${JSON.stringify({ ...report, load }, null, 2)}\n`);
