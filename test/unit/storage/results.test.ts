import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createResultStore, readCreatedAt } from '../../../src/storage/results.ts';
import { exampleAssessment } from '../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vehi-results-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const savedAt = '2026-11-20T10:00:00.000Z';
const inspection = exampleInspection({ damages: 2, photos: 2 });

describe('kept results', () => {
  it('come back as they were saved', async () => {
    const store = createResultStore(join(folder, 'made', 'when needed'));
    const assessment = exampleAssessment(inspection);
    const photos = { folders: [], paths: { 'photos/IMG_0001.jpg': '/cars/IMG_0001.jpg' } };
    await store.save({ inspection, assessment, photos }, savedAt);
    expect(await store.get(inspection.data.inspection_id)).toEqual({
      inspection,
      assessment: null,
      photos,
      savedAt,
    });
    expect(await store.get(assessment.data.assessment_id)).toEqual({ inspection: null, assessment, savedAt });
  });

  it('a folder that cannot be used is known before there is a result', async () => {
    const made = join(folder, 'made');
    await createResultStore(made).prepare();
    expect(readdirSync(made)).toEqual([]);
    writeFileSync(join(folder, 'file'), '');
    await expect(createResultStore(join(folder, 'file', 'results')).prepare()).rejects.toMatchObject({
      kind: 'usage',
    });
  });

  it('are listed newest first; what is no result is named, not lost', async () => {
    const store = createResultStore(folder);
    await store.save({ inspection, assessment: exampleAssessment(inspection) }, savedAt);
    writeFileSync(join(folder, 'vis_BROKEN.json'), '{"envelope":');
    writeFileSync(join(folder, 'vis_OTHER.json'), '{"envelope":{"status":"success"},"savedAt":"x"}');
    const { results, unreadable } = await store.list();
    expect(results.map(readCreatedAt)).toEqual(['2026-11-20T09:31:00.000Z', '2026-11-20T09:30:00.000Z']);
    expect(unreadable).toEqual([join(folder, 'vis_BROKEN.json'), join(folder, 'vis_OTHER.json')]);
  });

  it('replace one of the same id and leave no temporary file', async () => {
    const store = createResultStore(folder);
    await Promise.all([1, 2, 3, 4].map(() => store.save({ inspection, assessment: null }, savedAt)));
    expect(readdirSync(folder)).toEqual([`${inspection.data.inspection_id}.json`]);
  });

  it.each(['../../etc/passwd', 'vis_../x', '', 'vis_', '__proto__'])(
    'never leave the folder: %j',
    async (id) => {
      const store = createResultStore(folder);
      expect(await store.get(id)).toBeUndefined();
    },
  );

  it('say which folder cannot be used, and which result cannot be read', async () => {
    writeFileSync(join(folder, 'file'), '');
    writeFileSync(join(folder, 'vis_BROKEN.json'), '{"envelope":');
    const none = createResultStore(join(folder, 'file', 'results'));
    const unusable = {
      kind: 'usage',
      code: 'DATA_DIRECTORY',
      message: expect.stringContaining(join(folder, 'file', 'results')),
      hint: expect.stringContaining('VEHI_DATA_DIR'),
    };
    await expect(none.list()).rejects.toMatchObject(unusable);
    await expect(none.save({ inspection, assessment: null }, savedAt)).rejects.toMatchObject(unusable);
    await expect(createResultStore(folder).get('vis_BROKEN')).rejects.toMatchObject({
      kind: 'input',
      code: 'RESULT_UNREADABLE',
      message: expect.stringContaining('vis_BROKEN'),
    });
  });

  it('are none where the folder is not there', async () => {
    expect(await createResultStore(join(folder, 'absent')).list()).toEqual({ results: [], unreadable: [] });
  });
});
