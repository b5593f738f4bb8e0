// @module-tag slow: photos are decoded, PDFs set
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exifr from 'exifr';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { runReport } from '../../../src/cli/results/report.run.ts';
import { listJpegs, makeClaimFolder, NOW } from '../../helpers/cli/claim-folder.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { exampleAssessment } from '../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const { folder, inspection, run } = await makeClaimFolder();

const NO_PLATE_FOUND =
  'vehi: no number plate found in 2 photos, so none is blurred. About one plate in five is missed, and faces are not looked for: check the pictures.\n';

describe('vehi report', { timeout: 60_000 }, () => {
  it('writes a PDF named after the result by default, the same on every run', async () => {
    const { code, stderr } = await run(['report', 'result.json', ...NOW]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `pdf written to ${inspection.data.inspection_id}.pdf\n${NO_PLATE_FOUND}`,
    });
    const file = join(folder, `${inspection.data.inspection_id}.pdf`);
    const first = readFileSync(file);
    await run(['report', 'result.json', ...NOW]);
    expect(first.equals(readFileSync(file))).toBe(true);
    expect(first.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it.each([{ format: 'pdf' }, { output: ['pdf=-'] }])('prints no PDF on a terminal: %j', async (flags) => {
    const { ctx } = fakeTerminal({ cwd: folder, isTTY: true });
    await expect(runReport('result.json', flags, ctx)).rejects.toThrow(
      'a PDF cannot be printed to a terminal',
    );
  });

  it('says with --quiet nothing of what it wrote', async () => {
    const { code, stdout, stderr } = await run(['report', 'result.json', '-q', '-o', 'quiet.csv', ...NOW]);
    expect({ code, stdout: stdout.toString(), stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(folder, 'quiet.csv'), 'utf8')).toContain('damage_id');
  });

  it('reads a result in UTF-16, as Windows PowerShell writes it', async () => {
    const text = readFileSync(join(folder, 'result.json'), 'utf8');
    writeFileSync(join(folder, 'wide.json'), `\uFEFF${text}`, 'utf16le');
    const [wide, narrow] = [
      await run(['report', 'wide.json', '--format', 'csv', ...NOW]),
      await run(['report', 'result.json', '--format', 'csv', ...NOW]),
    ];
    expect(wide).toEqual(narrow);
    expect(wide.code).toBe(0);
  });

  it('writes every output it is asked for, in one run', async () => {
    const outputs = [
      'pdf=all.pdf',
      'all.html',
      'json=all.json',
      'csv=all.csv',
      'junit=all.xml',
      'all.md',
      'github=notes.txt',
    ];
    const { code } = await run([
      'report',
      'result.json',
      '--assessment',
      'estimate.json',
      ...outputs.flatMap((one) => ['-o', one]),
      ...NOW,
    ]);
    expect(code).toBe(0);
    for (const one of outputs) expect(existsSync(join(folder, one.split('=').at(-1) ?? ''))).toBe(true);
  });

  it('lets no EXIF or GPS of a photo out', async () => {
    expect(await exifr.gps(readFileSync(join(folder, 'photos/IMG_0001.jpg')))).toBeDefined();
    for (const [file, worst] of [
      ['all.pdf', 0],
      ['all.html', 4],
    ] as const) {
      const jpegs = listJpegs(readFileSync(join(folder, file)));
      expect(jpegs.length).toBe(2 + 4 + worst);
      for (const jpeg of jpegs) expect((await sharp(jpeg).metadata()).exif).toBeUndefined();
    }
  });

  it.each([
    ['nothing said', [], 'The model misses some plates, and faces were not looked for.'],
    ['--redact off', ['--redact', 'off'], null],
  ] as const)('a report with %s says what was made unrecognizable and what not', async (_, flags, said) => {
    await run(['report', 'result.json', '-o', 'said.html', ...flags, ...NOW]);
    const text = readFileSync(join(folder, 'said.html'), 'utf8');
    expect(text.includes('unrecognizable')).toBe(said !== null);
    if (said !== null) expect(text).toContain(said);
  });

  it('prints the JSON report of the contract', async () => {
    const { stdout } = await run(['report', 'result.json', '--format', 'json', ...NOW]);
    const { status, data } = JSON.parse(stdout.toString());
    expect(status).toBe('success');
    expect(data).toMatchObject({
      report_id: 'rep_01JD3YR4G0T8X9V2K7M5N6P1QS',
      generated_at: '2026-11-20T12:00:00.000Z',
      inspection_id: inspection.data.inspection_id,
      images: inspection.data.images,
      region: inspection.data.region,
      models: inspection.data.models,
    });
    expect(data.rules_fired).toHaveLength(4);
    expect(data.rules_fired[0]).toMatchObject({
      subject: inspection.data.results?.damages[0]?.damage_id,
      rule: 'part.mask_overlap',
    });
  });

  it('reads stdin, and an inspection with its assessment next to it', async () => {
    const both = JSON.stringify({ ...inspection, assessment: exampleAssessment(inspection) });
    const { stdout, code } = await run(['report', '-', '--format', 'markdown', ...NOW], both);
    expect(code).toBe(0);
    expect(stdout.toString()).toContain('### Repair estimate');
  });

  it('never shows a photo that is not the inspected one, and says so', async () => {
    const moved = structuredClone(inspection);
    for (const photo of moved.data.images) photo.sha256 = 'f'.repeat(64);
    writeFileSync(join(folder, 'moved.json'), JSON.stringify(moved));
    const { code, stderr } = await run(['report', 'moved.json', '-o', 'moved.html', ...NOW]);
    expect(code).toBe(0);
    expect(stderr).toContain(
      'vehi: photos/IMG_0001.jpg, photos/IMG_0002.jpg are not shown: the file has changed since the inspection.',
    );
    expect(listJpegs(readFileSync(join(folder, 'moved.html')))).toHaveLength(0);
  });

  it('blurs the plates of the inspection, in the photo and in close-ups, and names the findings below', async () => {
    const plated = structuredClone(inspection);
    const corners = [
      [0, 0],
      [1600, 0],
      [1600, 1200],
      [0, 1200],
    ];
    for (const photo of plated.data.images) photo.plates = [{ corners, confidence: 0.9 }];
    writeFileSync(join(folder, 'plated.json'), JSON.stringify(plated));
    await run(['report', 'result.json', '-o', 'clear.html', ...NOW]);
    const hidden = await run(['report', 'plated.json', '-o', 'hidden.html', ...NOW]);
    await run(['report', 'plated.json', '-o', 'shown.html', '--redact', 'off', ...NOW]);
    const spread = async (file: string) =>
      Math.max(
        ...(await Promise.all(
          listJpegs(readFileSync(join(folder, file))).map(
            async (jpeg) => (await sharp(jpeg).stats()).channels[0]?.stdev ?? 0,
          ),
        )),
      );
    expect(await spread('clear.html')).toBeGreaterThan(15);
    expect(await spread('shown.html')).toBeGreaterThan(15);
    expect(await spread('hidden.html')).toBeLessThan(8);
    expect(hidden.stderr).toContain('2 number plates blurred in 2 of 2 photos');
    expect(hidden.stderr).toMatch(
      /covers part of number 1 in IMG_0001\.jpg, number 2 in IMG_0002\.jpg, number 3/,
    );
    expect(readFileSync(join(folder, 'hidden.html'), 'utf8')).toContain(
      'A blurred plate covers part of number 1.',
    );
  });

  it('counts only the photos that were searched for plates, and says how many were not', async () => {
    const partly = structuredClone(inspection);
    const [first, second] = partly.data.images;
    Object.assign(first ?? {}, { plates: [] });
    delete second?.plates;
    writeFileSync(join(folder, 'partly.json'), JSON.stringify(partly));
    const ran = await run(['report', 'partly.json', '-o', 'html=partly.html']);
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'no number plate found in 1 photo, so none is blurred. 1 photo was not searched for plates.',
    );
  });

  it('shows no photo at --redact on where no model looked for plates, and says so where nobody asked', async () => {
    const unsearched = structuredClone(inspection);
    for (const photo of unsearched.data.images) delete photo.plates;
    writeFileSync(join(folder, 'unsearched.json'), JSON.stringify(unsearched));
    const asked = await run(['report', 'unsearched.json', '--redact', 'on', '-o', 'html=none.html']);
    expect(asked.stderr).toContain('was inspected without a model that finds number plates');
    expect(listJpegs(readFileSync(join(folder, 'none.html')))).toHaveLength(0);
    const ran = await run(['report', 'unsearched.json', '-o', 'html=as-is.html']);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('number plates are not blurred');
    expect(readFileSync(join(folder, 'as-is.html'), 'utf8')).not.toContain('unrecognizable');
  });

  it.each([
    ['no such file', ['report', 'gone.json'], 3, 'there is no file gone.json'],
    ['an unknown format', ['report', 'result.json', '--format', 'docx'], 2, 'there is no output kind "docx"'],
    [
      'an output of no kind',
      ['report', 'result.json', '-o', 'report.docx'],
      2,
      'the ending .docx is not known',
    ],
    ['a bad time', ['report', 'result.json', '--now', 'yesterday'], 2, '--now is "yesterday"'],
    ['a time that is not ISO 8601', ['report', 'result.json', '--now', '2026/1/2'], 2, '--now is "2026/1/2"'],
    ['a number as time', ['report', 'result.json', '--now', '1'], 2, '--now is "1"'],
    [
      'what redaction does not know',
      ['report', 'result.json', '--redact', 'strict'],
      2,
      'Allowed choices are on, off.',
    ],
    [
      'an inspection as --assessment',
      ['report', 'result.json', '--assessment', 'result.json'],
      3,
      'is not an assessment',
    ],
  ])('stops at %s', async (_, args, code, message) => {
    const ran = await run(args);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
    expect(ran.stdout).toHaveLength(0);
  });

  it.each([
    ['no JSON', '{"status":', 'it is not JSON'],
    ['null', 'null', 'is not a vehi result'],
    ['a list', '[]', 'is not a vehi result'],
    [
      'a wrong field',
      JSON.stringify({ status: 'success', data: { inspection_id: 7 }, meta: {} }),
      'is not a vehi result',
    ],
    ['prototype keys', '{"__proto__": {"data": 1}, "constructor": 2}', 'is not a vehi result'],
  ])('refuses %s with exit 3', async (_, text, message) => {
    const ran = await run(['report', '-', '--format', 'csv'], text);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain(message);
  });

  it('refuses evidence outside its photo, and times that are none', async () => {
    for (const list of ['damages', 'to_check'] as const) {
      const outside = exampleInspection({ damages: 1, photos: 1, toCheck: 1 });
      const evidence = outside.data.results?.[list][0]?.evidence[0];
      if (evidence) evidence.coordinates.x = 5000;
      expect((await run(['report', '-', '--format', 'csv'], JSON.stringify(outside))).stderr).toContain(
        `data.results.${list}.0.evidence is outside photo 0`,
      );
      if (evidence) evidence.image_index = 40;
      expect((await run(['report', '-', '--format', 'csv'], JSON.stringify(outside))).stderr).toContain(
        `data.results.${list}.0.evidence names a missing photo 40`,
      );
    }
    const timeless = { ...inspection, data: { ...inspection.data, created_at: 'yesterday' } };
    expect((await run(['report', '-', '--format', 'junit'], JSON.stringify(timeless))).code).toBe(3);
  });

  it.each(['report result.json', 'compare result.json result.json', 'assess result.json'])(
    '%s: the rest is written where one file cannot be',
    async (line) => {
      const outputs = ['pdf=result.json/a.pdf', 'html=result.json/b.html', 'html=rest.html'].flatMap(
        (one) => ['-o', one],
      );
      const ran = await run([...line.split(' '), ...outputs, ...NOW]);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toMatch(
        /^html written to rest\.html\n(vehi: no number plate .*\n)?vehi: cannot write result\.json\/b\.html: .*\n {2}Choose another place, .*\nvehi: cannot write result\.json\/a\.pdf: /,
      );
      const page = readFileSync(join(folder, 'rest.html'), 'utf8');
      expect(page).toMatch(/headlight/i);
      rmSync(join(folder, 'rest.html'));
    },
  );
});
