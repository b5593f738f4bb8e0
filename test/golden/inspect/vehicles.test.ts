import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { loadBuilt, openBuilt } from '../../helpers/cli/run-inside.ts';
import { TINY_MODELS } from '../../helpers/photos/drawn-car.ts';
import { readPdf } from '../../helpers/reports/read-pdf.ts';

/** The tiny models see parts and damage in colors, so pictures decide what is found. */
const MAGENTA = { r: 255, g: 0, b: 255 };
const CYAN = { r: 0, g: 255, b: 255 };
const GREY = { r: 128, g: 128, b: 128 };
const RED = { r: 255, g: 0, b: 0 };

const { folder: dir, at, read, readJson, run } = openBuilt('vehicles');
const readResult = (name: string): InspectionEnvelope => readJson(name);
const list = (folder: string) => readdirSync(at(folder)).toSorted();
const report = async (name: string, format: string) =>
  (await run(`report ${name} --format ${format}`)).stdout;
const readPdfText = async (name: string) => (await readPdf(readFileSync(at(name)))).text;

beforeAll(async () => {
  for (const folder of ['two', 'none', 'one']) mkdirSync(at(folder));
  await picture('two/a.png', MAGENTA, RED);
  await picture('two/b.png', CYAN);
  await picture('two/c.png', MAGENTA);
  await picture('one/a.png', CYAN);
  await picture('none/wall.png', GREY);
  await picture('none/floor.png', { ...GREY, r: 120 }, RED);
  await run('inspect two --assess -o found.json -o two.html -o two.pdf');
});

/** Noise a little apart keeps files apart; `spot` fills four cells of the damage model. */
async function picture(name: string, background: typeof RED, spot?: typeof RED): Promise<void> {
  const square = (size: number, color: typeof RED) =>
    sharp({ create: { width: size, height: size, channels: 3, background: color } }).png();
  const corner = await square(4, { r: name.length * 9, g: name.charCodeAt(4), b: 0 }).toBuffer();
  const layers = [{ input: corner, left: 1276, top: 1276 }];
  if (spot) layers.push({ input: await square(320, spot).toBuffer(), left: 320, top: 320 });
  await square(1280, background).composite(layers).toFile(at(name));
}

test('photos of no vehicle are a failed result without grade, find or price, and every file is written', async () => {
  const said = 'No photo shows the outside of a vehicle.';
  const files = ['json', 'pdf', 'html', 'csv', 'md', 'xml'].map((end) => `none.${end}`);
  const ran = await run(`inspect none --assess -o ${files.join(' -o ')}`);
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([
    3,
    expect.stringContaining(said),
    expect.stringContaining(said),
  ]);
  const env = { CI: 'true', VEHI_MODEL_DIR: TINY_MODELS, VEHI_THREADS: '1' };
  const screen = fakeTerminal({ cwd: dir, isTTY: true, env });
  const main = await loadBuilt();
  await main(['node', 'vehi', 'inspect', 'none'], screen.ctx);
  expect(screen.stdout()).toContain(said);
  expect(screen.stderr(), 'once on a terminal').not.toContain(said);
  expect(list('.')).toEqual(expect.arrayContaining(files));
  const { data } = readResult('none.json');
  expect(data).toMatchObject({ status: 'failed', results: null, failure: { code: 'NO_VEHICLE' } });
  for (const text of [read('none.html'), await readPdfText('none.pdf')]) {
    expect(text).toContain(said);
    expect(text).not.toMatch(/excellent|of 10\b|Repair as one job/i);
  }
});

describe('photos of several vehicles', () => {
  test('are divided', () => {
    const { data } = readResult('found.json');
    expect(data.vehicle_groups.map(({ image_urls }) => image_urls)).toEqual([
      ['two/a.png', 'two/c.png'],
      ['two/b.png'],
    ]);
    expect(data.warnings.find(({ code }) => code === 'several_vehicles')?.message).toMatch(
      /2 vehicles: \w+ \(a\.png, c\.png\); \w+ \(b\.png\)$/,
    );
    expect(data.results?.mixed_vehicles).toBe(true);
    expect(data.results?.vehicles?.map(({ images }) => images)).toEqual([[0, 2], [1]]);
  });

  test.each([
    [
      'table',
      /^two: at least 2 vehicles in these photos, each .*\n {2}1 {2}\w+: a\.png, c\.png\n {2}2 {2}\w+: b\.png[\s\S]*^Vehicle 1 of 2: \w+\n[\s\S]*^Vehicle 2 of 2: \w+\n[\s\S]*^Vehicle +Photos +Condition +Damages +To check +Repair\n1 \w+ +2 [\s\S]*^2 \w+ +1 [^\n]*\n$/m,
    ],
    ['csv', /vehicle\r\n(?:.*,1\r\n)+(?:.*,2\r\n)+$/],
    ['github', /title=vehi \/ vehicle 1::[\s\S]*title=vehi \/ vehicle 2::/],
    ['junit', /<testsuite name="two 1"[\s\S]*a\.png[\s\S]*<testsuite name="two 2"[\s\S]*b\.png/],
  ])('are reported one by one as %s', async (format, said) => {
    expect(await report('found.json', format)).toMatch(said);
  });

  test('have a section each in HTML and PDF, and no assessment of all', async () => {
    const html = read('two.html');
    expect(html).toMatch(/<h2 id="first">Vehicle 1 of 2: [\s\S]*<h2 id="first-2">Vehicle 2 of 2: /);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await readPdfText('two.pdf')).toMatch(/Vehicle 1 of 2[\s\S]*Vehicle 2 of 2/);
    const { code, stderr } = await run('assess found.json');
    expect([code, stderr]).toEqual([3, expect.stringContaining('several vehicles')]);
  });
});

describe('--sort', () => {
  test('copies the photos into a folder per vehicle, and the originals stay', async () => {
    const { code, stderr } = await run('inspect two --assess --sort sorted');
    expect(code).toBe(0);
    expect(stderr).toContain('no assessment, because');
    expect(stderr).toContain('vehicle-1 2 photos, vehicle-2 1 photo');
    expect(stderr).toContain('vehi inspect --many sorted');
    expect(list('sorted')).toEqual(['vehicle-1', 'vehicle-2']);
    expect(list('sorted/vehicle-1')).toEqual(['a.png', 'c.png']);
    expect(list('sorted/vehicle-2')).toEqual(['b.png']);
    expect(read('sorted/vehicle-2/b.png')).toBe(read('two/b.png'));
    expect(list('two')).toEqual(['a.png', 'b.png', 'c.png']);
  });

  test('photos of one vehicle, also by --one-vehicle, are one folder, and names that meet get a number', async () => {
    const line = 'inspect two/b.png one/a.png two/a.png --one-vehicle --sort joined -o joined.json';
    expect((await run(line)).code).toBe(0);
    expect(list('joined')).toEqual(['vehicle-1']);
    expect(list('joined/vehicle-1')).toEqual(['a-2.png', 'a.png', 'b.png']);
    const { data } = readResult('joined.json');
    expect(data.vehicle_groups).toEqual([]);
    expect(data.results).not.toHaveProperty('vehicles');
    expect(data.results).not.toHaveProperty('mixed_vehicles');
  });

  test.each([
    ['two --sort two', 'two: it is not empty.'],
    ['two --sort two/a.png', 'two/a.png: it is not a folder.'],
  ])('%s is refused before any work', async (words, said) => {
    const { code, stderr } = await run(`inspect ${words}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(list('two')).toEqual(['a.png', 'b.png', 'c.png']);
  });
});
