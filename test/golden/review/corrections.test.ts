import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, test, vi } from 'vitest';
import { measureCorrections } from '../../../models/evaluate/corrections/measure-corrections.ts';
import { runReview } from '../../../src/cli/review/review.run.ts';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { exportCorrections } from '../../../src/engine/review/corrections-coco.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { ROOT } from '../../helpers/cli/run-cli.ts';
import { openBuilt } from '../../helpers/cli/run-inside.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';

const { folder: dir, at, readJson, run, write } = openBuilt('corrections');
const cli = (line: string) => run(line, { XDG_CONFIG_HOME: at('own') });
let inspection: InspectionEnvelope;

/** Two drawn photos; the second shows two paler damages, of which the tiny models are less sure. */
beforeAll(async () => {
  mkdirSync(at('car'));
  await writeDrawnCar(at('car/front_right.jpg'));
  const pale = [480, 1200].map((left) => {
    const create = { width: 240, height: 135, channels: 3, background: '#73ff73' } as const;
    return { input: { create }, left, top: 675 };
  });
  await sharp(at('car/front_right.jpg')).composite(pale).toFile(at('car/rear_left_closeup.jpg'));
  await cli('inspect car -o result.json --detailed');
  inspection = readJson('result.json');
}, 120_000);

/** Prints what `npm run models:measure -- corrections` prints of these files. */
async function measure(...files: readonly string[]) {
  const terminal = fakeTerminal({ cwd: dir });
  await measureCorrections(files, false, terminal.ctx);
  return terminal.stdout();
}

test('corrections are counted, propose limits, and an inspection takes these', async () => {
  const { damages = [], to_check: toCheck = [] } = inspection.data.results ?? {};
  // The certain ones are right, of those to check the first, a scratch was missed in the first photo.
  const box = { x: 10, y: 10, width: 60, height: 20 };
  write('decisions.json', [
    ...damages.map(({ damage_id }) => ({ decision: 'accept', damage_id })),
    ...toCheck.map(({ damage_id }, index) => ({ decision: index === 0 ? 'accept' : 'reject', damage_id })),
    { decision: 'add', image_index: 0, type: 'scratch', part: 'hood', box },
    { decision: 'nothing_more', image_index: 0 },
  ]);
  const review = await cli('review result.json --decisions decisions.json');
  expect(review.stdout).toMatch(/No\. +Decision +As found/);
  expect(review.stdout).toMatch(/Repair: about \S+ as found, about \S+ now/);
  const decided = damages.length + toCheck.length;

  const files = Array<string>(Math.ceil(30 / decided)).fill('result.reviewed.json');
  const proposed = await measure(...files);
  const [certain, least] = ['certain_from', 'to_check_from'].map((key) =>
    Number(new RegExp(`vehi config set ${key} (\\S+)`).exec(proposed)?.[1]),
  ) as [number, number];
  expect((await cli(`config set certain_from ${certain}`)).code).toBe(0);
  expect((await cli(`config set to_check_from ${least}`)).code).toBe(0);
  const again = await cli('inspect car --json --detailed');
  const { results, settings }: InspectionEnvelope['data'] = JSON.parse(again.stdout).data;
  expect(settings).toMatchObject({ certain_from: certain, to_check_from: least });
  expect(results?.damages.every(({ confidence }) => confidence >= certain)).toBe(true);
  expect(results?.to_check.every(({ confidence }) => confidence >= least)).toBe(true);
}, 240_000);

test('what is no review is refused, by name', async () => {
  const said = 'result.json is a result that has not been reviewed';
  await expect(measure('result.json')).rejects.toThrow(said);
  write('odd.json', { images: [] });
  await expect(measure('odd.json')).rejects.toThrow('odd.json');
});

test('exports of the page have the run’s paper and language, and no review section before the first decision', async () => {
  const env = { VEHI_LANGUAGE: 'fr', VEHI_PAGE_SIZE: 'Letter', VEHI_MODEL_DIR: TINY_MODELS };
  const shown = fakeTerminal({ cwd: dir, env });
  const review = runReview('result.json', { open: false, output: 'page.json' }, shown.ctx);
  const link = await vi.waitFor(() => new URL(/Review at (\S+)/.exec(shown.stderr())?.[1] ?? ''), 20_000);
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ token: link.hash.slice(3) });
  const session = await fetch(`${link.origin}/app/session`, { ...post, body });
  const { secret, inspection_id: id } = ((await session.json()) as { data: Record<string, string> }).data;
  const exportAs = async (format: string) => {
    const url = `${link.origin}/v1/inspections/visual/${id}/review/export?format=${format}`;
    return (await fetch(url, { headers: { 'x-vehi-session': secret ?? '' } })).text();
  };
  expect(await exportAs('pdf')).toContain('/MediaBox [0 0 612 792]');
  const html = await exportAs('html');
  expect(html).toContain('<html lang="fr"');
  expect(html).not.toContain('id="review"');
  shown.stop();
  await review;
});

const python = spawnSync('python3', ['--version']).status === 0;

// The function as it stands in the training, run without the libraries that its file imports for pictures.
const READER = `
import ast, json, sys
from pathlib import Path
folder = Path(sys.argv[1])
source = (folder / 'labels.py').read_text() + '\\n'
tree = ast.parse((folder / 'prepare.py').read_text())
source += ast.unparse([one for one in tree.body if getattr(one, 'name', '') == '_damage_records'][0])
scope = {'json': json, 'Path': Path}
exec(source, scope)
print(json.dumps(scope['_damage_records'](Path(sys.argv[2]), 'train')))`;

test.skipIf(!python)('the training reads the export of corrections as it is', () => {
  const coco = exportCorrections(readJson('result.reviewed.json'));
  expect(coco.annotations.every(({ segmentation: [outline] }) => outline?.length === 8)).toBe(true);
  write('extra/damage/train.json', coco);
  const training = resolve(ROOT, 'models/training/vehi_train/damage');
  const { stdout, stderr } = spawnSync('python3', ['-c', READER, training, at('extra')], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const records: { file: string; labelled: boolean[]; boxes: number[][] }[] = JSON.parse(stdout);
  expect(records.map(({ file }) => file)).toEqual(
    inspection.data.images.map(({ url }) => at(`extra/damage/train/${url}`)),
  );
  expect(records[0]?.labelled.every(Boolean)).toBe(true);
  expect(records.slice(1).some(({ labelled }) => labelled.some(Boolean))).toBe(false);
  const boxes = records.flatMap((record) => record.boxes);
  expect(boxes).toHaveLength(coco.annotations.length);
  expect(boxes.flat().every((side) => side >= 0 && side <= 7)).toBe(true);
});
