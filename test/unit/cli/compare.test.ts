import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listJpegs, makeClaimFolder, NOW } from '../../helpers/cli/claim-folder.ts';

const { folder, inspection, run, remove } = await makeClaimFolder();
afterAll(remove);

/** The inspection with its photos taken again: the same photos would not show a change of the vehicle. */
function retaken(one: typeof inspection): typeof inspection {
  const later = structuredClone(one);
  for (const photo of later.data.images) photo.sha256 = `f${photo.index}`.padEnd(64, '0');
  return later;
}

describe('vehi compare', { timeout: 60_000 }, () => {
  it('reports what changed as a table, JSON and a PDF with both sides, and fails on new damage', async () => {
    const later = retaken(inspection);
    const [first, second] = later.data.results?.damages ?? [];
    if (!later.data.results || !first || !second) throw new Error('the example has damages');
    later.data.results.damages = [
      { ...first, severity: 'critical', severity_score: 8.8 },
      second,
      { ...second, damage_id: 'dmg_roof_009', number: 9, location: { ...second.location, part: 'roof' } },
    ];
    writeFileSync(join(folder, 'later.json'), JSON.stringify(later));
    const ran = await run([
      'compare',
      'result.json',
      'later.json',
      '-o',
      'pdf=change.pdf',
      '-o',
      'json=change.json',
      '--fail-on',
      'new',
      ...NOW,
    ]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('--fail-on new was hit');
    const { data } = JSON.parse(readFileSync(join(folder, 'change.json'), 'utf8'));
    expect(data.counts).toEqual({ new: 1, worse: 1, unchanged: 1, repaired: 2, not_comparable: 0 });
    expect(data.changes[0]).toMatchObject({ change: 'new', part: 'roof', before: null });
    expect(ran.stdout.toString()).toMatch(/1 new, 1 worse, 1 unchanged, 2 repaired/);
    expect(listJpegs(readFileSync(join(folder, 'change.pdf'))).length).toBeGreaterThanOrEqual(3);
    const again = readFileSync(join(folder, 'change.pdf'));
    const quiet = await run(['compare', 'result.json', 'later.json', '-q', '-o', 'pdf=change.pdf', ...NOW]);
    expect(quiet.stderr).not.toContain('written to');
    expect(again.equals(readFileSync(join(folder, 'change.pdf')))).toBe(true);
  });

  it('calls nothing new where the earlier inspection did not look', async () => {
    const [earlier, later] = [structuredClone(inspection), retaken(inspection)];
    const [first] = later.data.results?.damages ?? [];
    if (!earlier.data.results || !later.data.results || !first) throw new Error('the example has damages');
    earlier.data.results.not_assessed = [{ what: 'roof', code: 'not_visible', reason: 'no photo' }];
    const onRoof = { ...first, damage_id: 'dmg_roof_009', location: { ...first.location, part: 'roof' } };
    later.data.results.damages.push(onRoof as typeof first);
    writeFileSync(join(folder, 'earlier.json'), JSON.stringify(earlier));
    writeFileSync(join(folder, 'later.json'), JSON.stringify(later));
    const words = [
      'compare',
      'earlier.json',
      'later.json',
      '-o',
      'pdf=unseen.pdf',
      '--fail-on',
      'new',
      ...NOW,
    ];
    const ran = await run(words);
    expect(ran.code).toBe(0);
    expect(ran.stdout.toString()).toMatch(/4 unchanged, 1 not comparable[\s\S]*not in view +no\. 1, /);
    expect(ran.stderr).toContain(
      '--fail-on does not count 1 damage where the earlier inspection has no photo of the place.',
    );
  });

  it('writes the rest where one file cannot be written', async () => {
    const outputs = ['-o', 'pdf=result.json/a.pdf', '-o', 'json=rest.json'];
    const ran = await run(['compare', 'result.json', 'result.json', ...outputs, ...NOW]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/^json written to rest\.json\nvehi: cannot write result\.json\/a\.pdf: /);
    expect(JSON.parse(readFileSync(join(folder, 'rest.json'), 'utf8')).data.counts.unchanged).toBe(4);
  });

  it('finds a vehicle unchanged against itself', async () => {
    const ran = await run(['compare', 'result.json', 'result.json', '--json', '--fail-on', 'worse']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout.toString()).data.counts).toMatchObject({
      new: 0,
      worse: 0,
      repaired: 0,
      unchanged: 4,
    });
  });

  it('refuses two vehicles', async () => {
    const other = { ...inspection, data: { ...inspection.data, vehicle_id: 'another' } };
    writeFileSync(join(folder, 'other.json'), JSON.stringify(other));
    const ran = await run(['compare', 'result.json', 'other.json']);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('--any-vehicle');
    expect((await run(['compare', 'result.json', 'other.json', '--any-vehicle'])).code).toBe(0);
  });
});

it('calls nothing new that the earlier photos show, or that was listed to check', {
  timeout: 60_000,
}, async () => {
  const [earlier, later] = [structuredClone(inspection), retaken(inspection)];
  const [first, second] = later.data.results?.damages ?? [];
  if (!earlier.data.results || !later.data.results || !first || !second) throw new Error('no damages');
  const at = (damage: typeof first, part: 'roof' | 'hood') => ({
    ...damage,
    damage_id: `dmg_${part}_009`,
    location: { ...damage.location, part },
  });
  const photo = later.data.images.find(({ index }) => index === first.evidence[0]?.image_index);
  const before = earlier.data.images.find(({ index }) => index === photo?.index);
  if (!photo || !before) throw new Error('the example has photos');
  photo.sha256 = before.sha256;
  const onOldPhoto = { ...at(first, 'roof'), evidence: first.evidence.slice(0, 1) };
  earlier.data.results.to_check.push({ ...at(second, 'hood'), damage_id: 'chk_hood_001' });
  later.data.results.damages.push(onOldPhoto, at(second, 'hood'));
  writeFileSync(join(folder, 'earlier.json'), JSON.stringify(earlier));
  writeFileSync(join(folder, 'later.json'), JSON.stringify(later));
  const ran = await run(['compare', 'earlier.json', 'later.json', '--fail-on', 'new', ...NOW]);
  expect(ran.code).toBe(0);
  expect(ran.stdout.toString()).toContain('4 unchanged, 2 not comparable');
  expect(ran.stdout.toString()).toMatch(/Hood.*listed to check/);
  expect(ran.stdout.toString()).toMatch(/Roof.*not listed/);
  expect(ran.stderr).toContain('--fail-on does not count 2 damages');
});

describe('what need not be a change of the vehicle', { timeout: 60_000 }, () => {
  it.each([
    ['same_photos', (_: typeof inspection) => undefined, 'of the same photos'],
    [
      'same_photos',
      (later: typeof inspection) => {
        const [photo] = later.data.images;
        if (photo) later.data.images.push({ ...photo, index: 9, sha256: '8'.repeat(64) });
      },
      'or one has all photos of the other',
    ],
    [
      'other_models',
      (later: typeof inspection) => {
        const [model] = later.data.models;
        if (model) model.sha256 = '9'.repeat(64);
      },
      'with different models',
    ],
    [
      'other_settings',
      (later: typeof inspection) => {
        later.data.settings = { sensitivity: 'high', min_confidence: null };
      },
      'with different settings',
    ],
  ])('%s is said, and nothing is called new', async (difference, change, said) => {
    const later = difference === 'same_photos' ? structuredClone(inspection) : retaken(inspection);
    change(later);
    const [first] = later.data.results?.damages ?? [];
    if (!first) throw new Error('the example has damages');
    const onRoof = {
      ...first,
      damage_id: 'dmg_roof_009',
      location: { ...first.location, part: 'roof' as const },
    };
    later.data.results?.damages.push(onRoof);
    writeFileSync(join(folder, 'doubtful.json'), JSON.stringify(later));
    const args = [
      'compare',
      'result.json',
      'doubtful.json',
      '-o',
      'json=doubt.json',
      '--fail-on',
      'new',
      ...NOW,
    ];
    const ran = await run(args);
    expect(ran.code).toBe(0);
    expect(ran.stdout.toString().replace(/\s+/g, ' ')).toContain(said);
    const { data } = JSON.parse(readFileSync(join(folder, 'doubt.json'), 'utf8'));
    expect(data.differences).toEqual([difference]);
    expect(data.counts).toMatchObject({ new: 0, not_comparable: 1 });
  });
});
