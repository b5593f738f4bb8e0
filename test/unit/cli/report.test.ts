// @module-tag slow: photos are decoded, PDFs set
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { findKindByEnding, KINDS, listKinds } from '../../../src/cli/outputs/kinds.ts';
import { openRun } from '../../../src/cli/outputs/run.ts';
import { writeResult } from '../../../src/cli/outputs/write-outputs.ts';
import { runReport } from '../../../src/cli/results/report.run.ts';
import { makeClaimFolder, PHOTO_SIZE } from '../../helpers/cli/claim-folder.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { exampleAssessment } from '../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const { folder, at, read, write, inspection, run } = await makeClaimFolder();
const { inspection_id: id } = inspection.data;

type Photo = (typeof inspection.data.images)[number];
/** Stores the result with changed photos. */
const writeChanged = (name: string, change: (photo: Photo) => object) =>
  write(name, {
    ...inspection,
    data: { ...inspection.data, images: inspection.data.images.map((one) => ({ ...one, ...change(one) })) },
  });

/** Returns the photos inside a page. */
const listJpegs = (name: string) =>
  [...read(name).matchAll(/data:image\/jpeg;base64,([^"]+)/g)].map(([, text = '']) =>
    Buffer.from(text, 'base64'),
  );

/** Returns the largest deviation of brightness in a picture of a page; low if all pictures are blurred. */
const measureSpread = async (name: string) =>
  Math.max(
    ...(await Promise.all(
      listJpegs(name).map(async (jpeg) => (await sharp(jpeg).stats()).channels[0]?.stdev ?? 0),
    )),
  );

describe('vehi report', { timeout: 60_000 }, () => {
  it('writes a PDF named after the result by default, and lets no EXIF or GPS of a photo out', async () => {
    expect(readFileSync(at('photos/IMG_0001.jpg')).includes('Exif')).toBe(true);
    expect(await run('report result.json')).toMatchObject({
      code: 0,
      stderr: `pdf written to ${id}.pdf\nvehi: no number plate found in 2 photos, so none is blurred. About one plate in five is missed, and faces are not looked for: check the pictures.\n`,
    });
    await run('report result.json --assessment estimate.json -o clear.html');
    const photos = listJpegs('clear.html');
    expect(photos).toHaveLength(10);
    const pdf = readFileSync(at(`${id}.pdf`));
    expect(pdf.toString('latin1').match(/\/DCTDecode/g)).toHaveLength(6);
    for (const bytes of [pdf, ...photos]) expect(bytes.includes('Exif')).toBe(false);
  });

  it('prints no PDF on a terminal', async () => {
    const { ctx } = fakeTerminal({ cwd: folder, isTTY: true });
    const printed = runReport('result.json', { output: ['pdf=-'] }, ctx);
    await expect(printed).rejects.toThrow('a PDF cannot be printed to a terminal');
  });

  it('says with --quiet nothing of what it wrote', async () => {
    const { code, stdout, stderr } = await run('report result.json -q -o quiet.csv');
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    expect(read('quiet.csv')).toContain('damage_id');
  });

  it('is written in every kind by the ending of its file; a path with an equals sign is a path', async () => {
    // The lines of an estimate need one.
    const kinds = listKinds('written', 'report').filter((kind) => kind !== 'lines');
    const files = kinds.map((kind) => `all${KINDS[kind].endings[0]}`);
    expect(files.map(findKindByEnding)).toEqual(kinds);
    const all = [...files, './of=7.csv'];
    const outputs = all.flatMap((file) => ['-o', file]);
    const ran = await run(['report', 'result.json', ...outputs], { XDG_CONFIG_HOME: at('config') });
    expect(ran.code, ran.stderr).toBe(0);
    for (const file of all) expect(read(file).length, file).toBeGreaterThan(100);
  });

  it('lists with --all every place to check in a table that is written to a file', async () => {
    const many = { inspection: exampleInspection({ toCheck: 11 }), assessment: null };
    const { ctx } = fakeTerminal({ cwd: folder });
    const view = { ...(await openRun({}, ctx)), all: true };
    await writeResult(many, [{ kind: 'table', path: 'all.txt' }], () => view, { ctx });
    expect(read('all.txt').match(/, (likely|possible) /g)).toHaveLength(11);
  });

  it('prints the JSON report of the contract', async () => {
    const { status, data } = JSON.parse((await run('report result.json --format json')).stdout);
    const { images, region, models, results } = inspection.data;
    const generated_at = '2026-11-20T12:00:00.000Z';
    const report_id = id.replace('vis', 'rep');
    expect(status).toBe('success');
    expect(data).toMatchObject({ report_id, generated_at, inspection_id: id, images, region, models });
    const subject = results?.damages[0]?.damage_id;
    expect(data.rules_fired[0]).toMatchObject({ subject, rule: 'part.mask_overlap' });
  });

  it('reads stdin, and an inspection with its assessment next to it', async () => {
    const both = JSON.stringify({ ...inspection, assessment: exampleAssessment(inspection) });
    const { stdout } = await run('report - --format markdown', {}, both);
    expect(stdout).toContain('### Repair estimate');
  });

  it('never shows a photo that is not the inspected one, and says so', async () => {
    writeChanged('moved.json', () => ({ sha256: 'f'.repeat(64) }));
    expect(await run('report moved.json -o moved.html')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'vehi: photos/IMG_0001.jpg, photos/IMG_0002.jpg are not shown: the file has changed since the inspection.',
      ),
    });
    expect(listJpegs('moved.html')).toEqual([]);
  });

  it('blurs the plates of the inspection, in the photo and in close-ups, and names the findings below', async () => {
    const { width, height } = PHOTO_SIZE;
    const corners = [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ];
    writeChanged('plated.json', () => ({ plates: [{ corners, confidence: 0.9 }] }));
    const hidden = await run('report plated.json -o hidden.html');
    await run('report plated.json -o shown.html --redact off');
    expect(await measureSpread('clear.html')).toBeGreaterThan(15);
    expect(await measureSpread('shown.html')).toBeGreaterThan(15);
    expect(await measureSpread('hidden.html')).toBeLessThan(8);
    expect(hidden.stderr).toContain('2 number plates blurred in 2 of 2 photos');
    expect(hidden.stderr).toMatch(/covers part of number 1 in IMG_0001\.jpg, number 2 in IMG_0002\.jpg/);
    expect(read('hidden.html')).toContain('A blurred plate covers part of number 1.');
    expect(read('hidden.html')).toContain('The model misses some plates, and faces were not looked for.');
    expect(read('shown.html')).not.toContain('unrecognizable');
  });

  it('counts only the photos that were searched for plates, and says how many were not', async () => {
    writeChanged('partly.json', ({ index }) => (index > 0 ? { plates: undefined } : {}));
    expect((await run('report partly.json -o partly.html')).stderr.replaceAll(/\s+/g, ' ')).toContain(
      'no number plate found in 1 photo, so none is blurred. 1 photo was not searched for plates.',
    );
  });

  it('shows no photo at --redact on where no model looked for plates, and says so where nobody asked', async () => {
    writeChanged('unsearched.json', () => ({ plates: undefined }));
    const asked = await run('report unsearched.json --redact on -o none.html');
    expect(asked.stderr).toContain('was inspected without a model that finds number plates');
    expect(listJpegs('none.html')).toEqual([]);
    const ran = await run('report unsearched.json -o as-is.html');
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('number plates are not blurred') });
    expect(read('as-is.html')).not.toContain('unrecognizable');
  });

  it.each([
    ['--now yesterday', 2, '--now is "yesterday"'],
    ['--assessment result.json', 3, 'is not an assessment'],
  ])('stops at %s', async (flags, code, said) => {
    const ran = await run(`report result.json ${flags}`);
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
  });

  /** A result whose first damage or place to check is shown elsewhere. */
  const lie = (list: 'damages' | 'to_check', lies: object) => {
    const changed = exampleInspection({ damages: 1, photos: 1, toCheck: 1 });
    Object.assign(changed.data.results?.[list][0]?.evidence[0] ?? {}, lies);
    return changed;
  };
  const far = { x: 5000, y: 0, width: 9, height: 9, image_width: 1600, image_height: 1200 };
  const outside = lie('damages', { coordinates: far });
  const nowhere = lie('to_check', { image_index: 40 });
  it.each<[string, unknown, string]>([
    ['no JSON', '{"status":', 'it is not JSON'],
    ['null', 'null', 'is not a vehi result'],
    ['a wrong field', { status: 'success', data: { inspection_id: 7 }, meta: {} }, 'is not a vehi result'],
    ['prototype keys', '{"__proto__": {"data": 1}, "constructor": 2}', 'is not a vehi result'],
    ['no time', { ...inspection, data: { ...inspection.data, created_at: 'yesterday' } }, 'created_at'],
    ['a damage outside of the photo', outside, 'results.damages.0.evidence is outside photo 0'],
    ['a place in no photo', nowhere, 'results.to_check.0.evidence names a missing photo 40'],
  ])('refuses %s with exit 3', async (_, document, said) => {
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    const ran = await run('report - --format csv', {}, text);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(said) });
  });

  it.each(['report result.json', 'compare result.json result.json'])(
    '%s: the rest is written where one file cannot be',
    async (line) => {
      const ran = await run(`${line} -o json=result.json/a -o html=result.json/b -o rest.html`);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toMatch(
        /^html written to rest\.html\n(vehi: no number plate .*\n)?vehi: cannot write result\.json\/b: .*\n {2}Choose another place, .*\nvehi: cannot write result\.json\/a: /,
      );
      expect(read('rest.html')).toMatch(/headlight/i);
    },
  );
});
