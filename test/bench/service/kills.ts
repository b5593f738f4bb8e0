/**
 * 338 creations while the service is killed 30 times (`npm run kills`; `npm run kills -- 1000 100` for 1,000 and 100).
 * Prints lost or duplicate inspections as one JSON document, and exits with 1 if there are any.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKills } from '../../server/helpers/kill-run.ts';

const [keys = 338, kills = 30] = process.argv.slice(2).map(Number);
const directory = mkdtempSync(join(tmpdir(), 'vehi-kills-'));
try {
  const report = await runKills({ directory, keys, kills, clients: 8, refusals: 20 });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  const { lost, doubled, unknown, eventsWrong, databaseFaults } = report;
  const wrong = [lost, doubled, unknown, eventsWrong, databaseFaults].some((list) => list.length > 0);
  process.exitCode = wrong || report.completed !== keys ? 1 : 0;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
