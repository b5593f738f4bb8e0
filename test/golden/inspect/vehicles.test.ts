import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { main } from '../../../src/cli/main.ts';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import type { ReviewedEnvelope } from '../../../src/contract/review-answers.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { FIXTURES, ROOT } from '../../helpers/cli/run-cli.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { readPdf } from '../../helpers/reports/read-pdf.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

/** The tiny models of the fixtures see parts and damage in colors, so pictures decide what is found. */
const TINY = ['--models', join(FIXTURES, 'models'), '--now', '2026-01-31T12:00:00Z'];
const MAGENTA = { r: 255, g: 0, b: 255 };
const CYAN = { r: 0, g: 255, b: 255 };
const GREY = { r: 128, g: 128, b: 128 };
const RED = { r: 255, g: 0, b: 0 };

const dir = makeOwnFolder('vehicles');
beforeAll(async () => {
  for (const folder of ['two', 'none', 'one']) mkdirSync(join(dir, folder));
  await picture('two/a.png', MAGENTA, RED);
  await picture('two/b.png', CYAN);
  await picture('two/c.png', MAGENTA);
  await picture('one/a.png', CYAN);
  await picture('none/wall.png', GREY);
  await picture('none/floor.png', { r: 120, g: 120, b: 120 }, RED);
});

type Color = { readonly r: number; readonly g: number; readonly b: number };

/** Noise a little apart keeps files apart; `spot` fills four cells of the damage model. */
async function picture(name: string, background: Color, spot?: Color): Promise<void> {
  const square = (size: number, color: Color) =>
    sharp({ create: { width: size, height: size, channels: 3, background: color } });
  const bytes = spot && (await square(320, spot).png().toBuffer());
  const seed = { r: name.length * 9, g: name.charCodeAt(4), b: 0 };
  const corner = await square(4, seed).png().toBuffer();
  const layers = [
    { input: corner, left: 1276, top: 1276 },
    ...(bytes ? [{ input: bytes, left: 320, top: 320 }] : []),
  ];
  await square(1280, background).composite(layers).png().toFile(join(dir, name));
}

const run = (...args: readonly string[]) => runInside([...args, ...TINY], { cwd: dir });
const read = (name: string) => JSON.parse(readFileSync(join(dir, name), 'utf8')) as InspectionEnvelope;
const report = async (name: string, format: string) =>
  (await runInside(['report', name, '--format', format], { cwd: dir })).stdout;

describe('photos of no vehicle', () => {
  const SAID = 'No photo shows the outside of a vehicle.';

  test('are a failed result without grade, find or price, and every file is written', async () => {
    const files = ['json', 'pdf', 'html', 'csv', 'md', 'xml'].map((end) => `none.${end}`);
    const outputs = files.flatMap((file) => ['-o', file]);
    const { code, stdout, stderr } = await run('inspect', 'none', '--assess', ...outputs);
    expect([code, stdout]).toEqual([3, expect.stringContaining(SAID)]);
    expect(stderr).toContain(SAID);
    const screen = fakeTerminal({ cwd: dir, columns: 80, isTTY: true, env: { CI: 'true' } });
    const built = (await import(resolve(ROOT, 'dist/cli/main.js'))) as { main: typeof main };
    await built.main(['node', 'vehi', 'inspect', 'none', ...TINY], screen.ctx);
    expect([screen.stdout(), screen.stderr()]).toEqual([
      expect.stringContaining(SAID),
      expect.not.stringContaining(SAID),
    ]);
    for (const file of files) expect(existsSync(join(dir, file)), file).toBe(true);
    const { status, data } = read('none.json');
    expect(status).toBe('success');
    expect(data).toMatchObject({ status: 'failed', results: null, failure: { code: 'NO_VEHICLE' } });
    expect(data.images.map(({ issues }) => issues.some((issue) => issue.code === 'no_vehicle'))).toEqual([
      true,
      true,
    ]);
    const html = readFileSync(join(dir, 'none.html'), 'utf8');
    expect(html).toContain(SAID);
    expect(html).not.toMatch(/excellent|of 10|Repair as one job/i);
    const { text } = await readPdf(readFileSync(join(dir, 'none.pdf')));
    expect(text).toContain(SAID);
    expect(text).not.toMatch(/excellent|of 10\b|Repair as one job/i);
  });
});

describe('photos of several vehicles', () => {
  let said: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    const files = ['two.json', 'two.html', 'two.pdf'].flatMap((file) => ['-o', file]);
    said = await run('inspect', 'two', '--assess', ...files);
  });

  test('are divided: each has its photos, findings, grade and price', () => {
    expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('no assessment, because')]);
    const { data } = read('two.json');
    expect(data.vehicle_groups.map(({ image_urls }) => image_urls)).toEqual([
      ['two/a.png', 'two/c.png'],
      ['two/b.png'],
    ]);
    expect(data.warnings.find(({ code }) => code === 'several_vehicles')?.message).toMatch(
      /2 vehicles: \w+ \(a\.png, c\.png\); \w+ \(b\.png\)$/,
    );
    const { results } = data;
    expect(results?.mixed_vehicles).toBe(true);
    const vehicles = results?.vehicles ?? [];
    expect(vehicles.map(({ images }) => images)).toEqual([[0, 2], [1]]);
    const ids = [...(results?.damages ?? []), ...(results?.to_check ?? [])].map((one) => one.damage_id);
    expect(vehicles.flatMap((one) => [...one.damage_ids, ...one.to_check_ids]).toSorted()).toEqual(
      ids.toSorted(),
    );
    for (const vehicle of vehicles) {
      expect(vehicle.damage_summary.total_damages).toBe(vehicle.damage_ids.length);
      expect(vehicle.repair_cost.items).toBe(vehicle.damage_ids.length);
      expect(vehicle.grade_basis.vehicles).toBeUndefined();
      const inPhotos = vehicle.coverage.parts.flatMap(({ image_index: index }) => index ?? []);
      expect(inPhotos.every((index) => vehicle.images.includes(index))).toBe(true);
    }
    const sum = vehicles.reduce((all, { repair_cost: cost }) => all + cost.estimated, 0);
    expect(results?.repair_cost.estimated).toBeCloseTo(sum, 2);
    expect(results?.condition_score).toBe(Math.min(...vehicles.map((one) => one.condition_score)));
  });

  test('are one vehicle with --one-vehicle', async () => {
    const { stdout } = await run('inspect', 'two', '--json', '--one-vehicle');
    const { data } = JSON.parse(stdout) as InspectionEnvelope;
    expect(data.vehicle_groups).toEqual([]);
    expect(data.results).not.toHaveProperty('vehicles');
    expect(data.results).not.toHaveProperty('mixed_vehicles');
  });

  test.each([
    [
      'table',
      /^two: at least 2 vehicles in these photos, each .*\n {2}1 {2}\w+: a\.png, c\.png\n {2}2 {2}\w+: b\.png[\s\S]*^Vehicle 1 of 2: \w+\n[\s\S]*^Vehicle 2 of 2: \w+\n[\s\S]*^Vehicle +Photos +Condition +Damages +To check +Repair\n1 \w+ +2 [\s\S]*^2 \w+ +1 [^\n]*\n$/m,
    ],
    [
      'markdown',
      /\| Vehicle \| Photos \|[\s\S]*2 vehicles in these photos[\s\S]*a\.png, c\.png[\s\S]*b\.png[\s\S]*### Vehicle 2 of 2/,
    ],
    ['csv', /vehicle\r\n(?:.*,1\r\n)+(?:.*,2\r\n)+$/],
    ['junit', /<testsuite name="two 1"[\s\S]*a\.png[\s\S]*<testsuite name="two 2"[\s\S]*b\.png/],
    [
      'github',
      /title=vehi \/ coverage::2 vehicles[\s\S]*title=vehi \/ vehicle 1::[\s\S]*title=vehi \/ vehicle 2::/,
    ],
  ])('are reported one by one as %s', async (format, said) => {
    expect(await report('two.json', format)).toMatch(said);
  });

  test('have a section each in HTML and PDF, and no assessment of all', async () => {
    const html = readFileSync(join(dir, 'two.html'), 'utf8');
    expect(html).toMatch(/<h2 id="first">Vehicle 1 of 2: [\s\S]*<h2 id="first-2">Vehicle 2 of 2: /);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const { text } = await readPdf(readFileSync(join(dir, 'two.pdf')));
    expect(text).toMatch(/Vehicle 1 of 2[\s\S]*Vehicle 2 of 2/);
    const { code, stderr: refused } = await runInside(['assess', 'two.json'], { cwd: dir });
    expect(code).not.toBe(0);
    expect(refused).toContain('several vehicles');
  });
});

describe('--sort', () => {
  const list = (folder: string) => readdirSync(join(dir, folder)).toSorted();

  test('copies the photos into a folder per vehicle, and the originals stay', async () => {
    const before = readFileSync(join(dir, 'two', 'b.png'));
    const { code, stderr } = await run('inspect', 'two', '--sort', 'sorted');
    expect(code).toBe(0);
    expect(stderr).toContain('vehicle-1 2 photos, vehicle-2 1 photo');
    expect(stderr).toContain('vehi inspect --many sorted');
    expect(list('sorted')).toEqual(['vehicle-1', 'vehicle-2']);
    expect(list('sorted/vehicle-1')).toEqual(['a.png', 'c.png']);
    expect(list('sorted/vehicle-2')).toEqual(['b.png']);
    expect(readFileSync(join(dir, 'sorted/vehicle-2/b.png')).equals(before)).toBe(true);
    expect(list('two')).toEqual(['a.png', 'b.png', 'c.png']);
  });

  test('photos of one vehicle are one folder, and names that meet get a number', async () => {
    const { code } = await run(
      'inspect',
      'two/b.png',
      'one/a.png',
      'two/a.png',
      '--one-vehicle',
      '--sort',
      'joined',
    );
    expect(code).toBe(0);
    expect(list('joined')).toEqual(['vehicle-1']);
    expect(list('joined/vehicle-1')).toEqual(['a-2.png', 'a.png', 'b.png']);
  });

  test.each([
    ['the folder of the photos', ['two', '--sort', 'two'], 'two: it is not empty.'],
    ['a file', ['two', '--sort', 'two/a.png'], 'two/a.png: it is not a folder.'],
    [
      'many vehicles',
      ['--many', '.', '--sort', 'new'],
      "'--many <place>' cannot be used with option '--sort <dir>'",
    ],
  ])('%s is refused before any work', async (_, args, said) => {
    const { code, stderr } = await run('inspect', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(list('two')).toEqual(['a.png', 'b.png', 'c.png']);
    expect(existsSync(join(dir, 'new'))).toBe(false);
  });
});

describe('photos of several vehicles after a review', () => {
  const review = async (...decisions: readonly object[]) => {
    writeFileSync(join(dir, 'decisions.json'), JSON.stringify(decisions));
    const args = ['--decisions', 'decisions.json', '--reviewer', 'Ada', '-o', 'reviewed.json'];
    return run('review', 'found.json', ...args);
  };
  beforeAll(() => run('inspect', 'two', '-o', 'found.json'));
  const accept = (id: string | undefined) => ({ decision: 'accept', damage_id: id });

  test('a moved photo changes the groups, the figures of each, and what says who decided; reports follow', async () => {
    const move = { decision: 'vehicle', image_index: 2, vehicle: 2 };
    const { code, stderr, stdout } = await review(move);
    expect([code, stderr]).toEqual([0, expect.stringContaining('reviewed.json')]);
    expect(stdout).toContain('Photos moved to another vehicle: c.png (2)');
    const { data, review: record } = read('reviewed.json') as ReviewedEnvelope;
    expect(record).toMatchObject({ reviewer: 'Ada', photos_moved: [{ image_index: 2, vehicle: 2 }] });
    expect(data.vehicle_groups.map(({ image_urls }) => image_urls)).toEqual([
      ['two/a.png'],
      ['two/b.png', 'two/c.png'],
    ]);
    expect(data.warnings.map(({ message }) => message).join()).toMatch(/\(a\.png\); \w.* \(b\.png, c\.png\)/);
    // As if each vehicle were inspected by itself.
    await run('inspect', 'two/b.png', 'two/c.png', '--one-vehicle', '-o', 'own.json');
    const own = read('own.json').data.results;
    const vehicle = data.results?.vehicles?.[1];
    expect(vehicle).toMatchObject({
      images: [1, 2],
      condition_score: own?.condition_score,
      repair_cost: own?.repair_cost,
      coverage: { seen: own?.coverage.seen, share: own?.coverage.share },
      dropped_detections: own?.dropped_detections,
    });
    expect(await report('reviewed.json', 'csv')).toMatch(/vehicle\r\n(?:.*,1\r\n)+(?:.*,2\r\n)*$/);
    expect(await report('reviewed.json', 'junit')).toMatch(/"two 1"[\s\S]*"two 2"[\s\S]*c\.png/);
    expect(await report('reviewed.json', 'markdown')).toMatch(/a\.png[\s\S]*b\.png, c\.png/);
  });

  test('all on one vehicle is a result as any other, which can be assessed; there and back is as found', async () => {
    await review({ decision: 'one_vehicle' });
    const { data, review: record } = read('reviewed.json') as ReviewedEnvelope;
    expect(record.photos_moved).toEqual([{ image_index: 1, vehicle: 1 }]);
    expect(data.vehicle_groups).toEqual([]);
    expect(data.results).not.toHaveProperty('vehicles');
    expect(await report('reviewed.json', 'markdown')).not.toContain('2 vehicles');
    const { code } = await runInside(['assess', 'reviewed.json'], { cwd: dir });
    expect(code).toBe(0);
    const [id] = read('found.json').data.results?.damages.map(({ damage_id }) => damage_id) ?? [];
    await review(accept(id));
    const plain = read('reviewed.json');
    await review(accept(id), { decision: 'vehicle', image_index: 2, vehicle: 1 });
    expect(read('reviewed.json')).toEqual(plain);
  });
});
