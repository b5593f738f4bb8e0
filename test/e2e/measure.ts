/*
 * What the shipped models make of the demo vehicle, for expected/demo-vehicle.json:
 *
 *   npm run build && npx tsx test/e2e/measure.ts --write
 *
 * Without --write the figures are only printed. A table of every planted damage goes to stderr. After a change of
 * models `npm run measure` does this and re-makes everything that shows the demo photos: README, its pictures, the
 * cards'.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  answered,
  collectFigures,
  compareDemo,
  computeLengthFactor,
  type DemoFigures,
  inspectDemo,
  listPhotos,
} from '../helpers/photos/demo-vehicle.ts';
import { createTruthEngine, listMisplaced } from '../helpers/photos/truth-engine.ts';

const engine = await createTruthEngine();
const dir = mkdtempSync(join(tmpdir(), 'vehi-measure-'));
try {
  const damaged = await inspectDemo('damaged', dir);
  const unnamed = {
    damaged: await inspectDemo('damaged', dir, { named: false }),
    clean: await inspectDemo('clean', dir, { named: false }),
  };
  const names = listPhotos('damaged').map(([name]) => name);
  const figures: DemoFigures = {
    ...collectFigures(damaged, unnamed),
    changes: await compareDemo(dir),
    misplaced: listMisplaced('damaged', await engine.inspect('damaged', names)),
  };
  for (const [id, answer] of answered('damaged', damaged)) {
    const { finding, planted } = answer;
    const result = finding
      ? `${finding.location.part}, ${finding.severity} (${planted.severity}), confidence ${finding.confidence}, length off by ${computeLengthFactor(answer)?.toFixed(2) ?? '?'}`
      : '-';
    process.stderr.write(`${id.padEnd(28)} ${result}\n`);
  }
  const text = `${JSON.stringify(figures, null, 2)}\n`;
  process.stdout.write(text);
  if (process.argv.includes('--write'))
    writeFileSync(join(import.meta.dirname, 'expected/demo-vehicle.json'), text);
} finally {
  await engine.close();
  rmSync(dir, { recursive: true, force: true });
}
