// @module-tag slow: reports of results are written
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeClaimFolder, NOW } from '../../helpers/cli/claim-folder.ts';
import { makeEarlier } from '../../helpers/results/earlier-inspection.ts';

const { folder, inspection, run, remove } = await makeClaimFolder();
afterAll(remove);
const earlier = JSON.stringify(makeEarlier(inspection));
writeFileSync(join(folder, 'earlier.json'), earlier);
const NOTE = 'predates places to check';

describe('a result from before places to check were kept', { timeout: 60_000 }, () => {
  it.each(['table', 'csv', 'markdown', 'sarif', 'junit', 'github', 'coco', 'json', 'html'])(
    'as %s',
    async (format) => {
      const { code, stdout, stderr } = await run(['report', 'earlier.json', '--format', format, ...NOW]);
      expect(code, stderr).toBe(0);
      const text = stdout.toString();
      if (['table', 'markdown', 'json', 'html'].includes(format)) expect(text).toContain(NOTE);
      if (format === 'table') expect(text).toMatch(/^REPAIR {2}about \$/m);
      if (format === 'markdown') expect(text).not.toMatch(/0 of 0/);
    },
  );

  it('is compared with one of today', async () => {
    const { code, stdout } = await run(['compare', 'earlier.json', 'result.json', '--json', ...NOW]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout.toString()).data).toMatchObject({
      differences: ['same_photos', 'other_settings', 'no_record'],
      counts: { new: 0, unchanged: 4 },
    });
  });

  it('is listed in the history', async () => {
    const place = join(folder, 'kept');
    mkdirSync(join(place, 'results'), { recursive: true });
    const id = inspection.data.inspection_id;
    writeFileSync(
      join(place, 'results', `${id}.json`),
      JSON.stringify({ envelope: JSON.parse(earlier), photoPaths: {}, savedAt: '2026-11-20T10:00:00.000Z' }),
    );
    const { code, stdout } = await run(['history'], undefined, { VEHI_DATA_DIR: place });
    expect(code).toBe(0);
    expect(stdout.toString()).toContain(id);
    const shown = await run(['report', id, '--format', 'table', ...NOW], undefined, { VEHI_DATA_DIR: place });
    expect(shown.stdout.toString()).toContain(NOTE);
  });

  it('stays refused where only some of the later fields are missing', async () => {
    const { to_check, ...results } = inspection.data.results ?? {};
    const broken = { ...inspection, data: { ...inspection.data, results } };
    writeFileSync(join(folder, 'broken.json'), JSON.stringify(broken));
    const { code, stderr } = await run(['report', 'broken.json']);
    expect(code).toBe(3);
    expect(stderr).toContain('to_check');
  });

  it('is refused by a review, which would grade it again on parts that nobody kept', async () => {
    const [first] = inspection.data.results?.damages ?? [];
    writeFileSync(
      join(folder, 'reject.json'),
      JSON.stringify([{ damage_id: first?.damage_id, decision: 'reject' }]),
    );
    const words = ['review', 'earlier.json', '--decisions', 'reject.json', '-o', 'reviewed.json', ...NOW];
    const { code, stderr } = await run(words);
    expect(code).toBe(3);
    expect(stderr).toContain('predates the record of visible parts');
    expect(stderr).toContain('Run vehi inspect on its photos again');
    expect(existsSync(join(folder, 'reviewed.json'))).toBe(false);
  });

  it('is priced from stdin like one of today', async () => {
    const priced = async (text: string) => {
      const { code, stdout, stderr } = await run(['assess', '-', '--json', ...NOW], text);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout.toString()).data.summary;
    };
    const today = await priced(JSON.stringify(inspection));
    expect(today).toBeTypeOf('object');
    expect(await priced(earlier)).toEqual(today);
  });

  it('is left as it is on disk', async () => {
    await run(['report', 'earlier.json', ...NOW]);
    expect(readFileSync(join(folder, 'earlier.json'), 'utf8')).toBe(earlier);
  });
});
