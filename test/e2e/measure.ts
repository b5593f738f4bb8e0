/*
 * What the shipped models make of the demo vehicle, for expected/demo-vehicle.json:
 *
 *   npx tsx test/e2e/measure.ts --write
 *
 * Without --write the figures are only printed. A table of every planted damage goes to stderr. After a change of
 * models `npm run measure` does this and re-makes everything that shows the demo photos: README, its pictures, the
 * cards'.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDemoEngine, measureDemo } from '../helpers/photos/demo-engine.ts';
import { answered, computeLengthFactor } from '../helpers/photos/demo-vehicle.ts';

const engine = await createDemoEngine();
try {
  const { named, figures } = await measureDemo(engine);
  for (const [id, answer] of answered('damaged', named)) {
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
}
