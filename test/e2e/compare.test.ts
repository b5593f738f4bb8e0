import { mkdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openBuilt } from '../helpers/cli/run-inside.ts';
import { writeDrawnCar } from '../helpers/photos/drawn-car.ts';
import { readPdf } from '../helpers/reports/read-pdf.ts';

const { at, read, readJson, run } = openBuilt('compare');

test('vehi compare of two visits: table, exit code, JSON, PDF and page say the same', async () => {
  for (const [shade, visit] of ['before', 'after'].entries()) {
    mkdirSync(at(visit));
    await writeDrawnCar(at(`${visit}/front.jpg`), shade);
    const inspected = await run(`inspect ${visit} --vehicle-id demo-417 -o ${visit}.json`);
    expect(inspected.code, inspected.stderr).toBe(0);
  }
  const files = '-o change.json -o change.pdf -o change.html';
  const compared = await run(`compare before.json after.json ${files} --fail-on new`);
  const { counts, changes } = readJson('change.json').data;
  expect(changes.length).toBeGreaterThan(0);
  expect(compared.code).toBe(counts.new > 0 ? 1 : 0);
  const { text } = await readPdf(readFileSync(at('change.pdf')));
  expect(text).toContain('demo-417');
  const page = read('change.html');
  for (const said of [compared.stdout, page])
    expect(said.replace(/\s+/g, ' ')).toContain(`${counts.new} new`);
  const pairs = page.match(/class="pair"/g) ?? [];
  expect(pairs.length).toBeGreaterThan(0);
  expect(page.match(/<img /g)).toHaveLength(2 * pairs.length);
  expect(compared.stderr).not.toContain('is not shown');
});
