import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runHistory } from '../../../src/cli/results/history.run.ts';
import { saveResults } from '../../../src/cli/results/results.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const dir = mkdtempSync(join(tmpdir(), 'vehi-history-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const terminal = (columns = 200) => fakeTerminal({ columns, env: { VEHI_DATA_DIR: dir } });

it('says that nothing is kept, and what is no result', async () => {
  const empty = terminal();
  await runHistory(undefined, { limit: 20 }, empty.ctx);
  expect(empty.stdout()).toBe('No results are saved. vehi inspect --save saves one.\n');
  const json = terminal();
  await runHistory(undefined, { limit: 20, json: true }, json.ctx);
  expect(JSON.parse(json.stdout())).toEqual({ results: [] });
  await expect(runHistory('vis_1', { limit: 20 }, terminal().ctx)).rejects.toMatchObject({
    code: 'SOURCE_NOT_FOUND',
    message: 'no result vis_1 is saved.',
  });
});

it('says which kept inspection has the very same photos', async () => {
  const inspection = exampleInspection({ damages: 1, photos: 2 });
  const again = structuredClone(inspection);
  Object.assign(again.data, { inspection_id: 'vis_AGAIN', vehicle_id: 'another-car' });
  const other = structuredClone(again);
  for (const [at, photo] of other.data.images.entries()) photo.sha256 = `e${at}`.repeat(32);
  const said = terminal();
  for (const one of [inspection, inspection])
    await saveResults({ inspection: one, assessment: null }, said.ctx);
  expect(said.stderr()).toBe('');
  await saveResults({ inspection: again, assessment: null }, said.ctx);
  const { inspection_id: id, vehicle_id: vehicle } = inspection.data;
  expect(said.stderr()).toContain(`the same photo is in ${id} of ${vehicle}, `);
  const silent = terminal();
  await saveResults({ inspection: other, assessment: null }, silent.ctx);
  expect(silent.stderr()).toBe('');
  rmSync(join(dir, 'results'), { recursive: true });
});

it('says which file was skipped', async () => {
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(dir, 'results'), { recursive: true });
  const file = join(dir, 'results', 'vis_broken.json');
  writeFileSync(file, '{}');
  const found = terminal();
  await runHistory(undefined, { limit: 20 }, found.ctx);
  expect(found.stderr()).toBe(`vehi: ${file} is not a stored result and was skipped\n`);
});
