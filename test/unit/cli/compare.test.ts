import { Errors } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { ComparisonSchema } from '../../../src/contract/comparison.ts';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { openFolder } from '../../helpers/cli/claim-folder.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const { read, readJson, run, write } = openFolder('compare');

const inspection = exampleInspection({ damages: 4, photos: 2, rich: false });
write('result.json', inspection);

/** Stores the inspection as one of other photos, because the same photos would not show a change of the vehicle. */
function writeLater(name: string, change: (later: InspectionEnvelope) => void) {
  const later = structuredClone(inspection);
  for (const photo of later.data.images) photo.sha256 = `f${photo.index}`.padEnd(64, '0');
  change(later);
  write(name, later);
}
const COMPARE = 'compare result.json later.json';
writeLater('later.json', ({ data: { results } }) => {
  const [, second] = results?.damages ?? [];
  if (!results || !second) throw new Error('the example has damages');
  const location = { ...second.location, part: 'roof' } as const;
  results.damages = [{ ...second, damage_id: 'dmg_roof_009', number: 9, location }];
});

describe('vehi compare', () => {
  it('calls nothing new or repaired without the photos, and says why', async () => {
    const ran = await run(`${COMPARE} -o change.pdf -o change.json --fail-on new`);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('--fail-on does not count 1 damage that the earlier photos neither show');
    const { data } = readJson('change.json');
    expect(data.counts).toMatchObject({ new: 0, changed: 0, repaired: 0 });
    expect(data.differences).toEqual(['no_record']);
    expect(ran.stdout).toContain('0 new · 0 changed · 0 repaired');
    expect(ran.stdout).toMatch(/run vehi inspect on its photos\s+again/);
    const first = read('change.pdf');
    expect((await run(`${COMPARE} -q -o change.pdf`)).stderr).not.toContain('written to');
    expect(read('change.pdf') === first, 'the same PDF again').toBe(true);
  });

  it('lets a person decide a row, and keeps what the photos say', async () => {
    const open = JSON.parse((await run(`${COMPARE} --json`)).stdout).data.changes;
    const { row } = open.find((one: { part: string }) => one.part === 'roof');
    const decide = (said: string) =>
      run([...COMPARE.split(' '), '--fail-on', 'new', '--decide', `${row}=${said}`, '-o', 'decided.json']);
    const added = await decide('new: the desk saw it come in');
    expect(added.code).toBe(1);
    expect(added.stdout).toContain(`${row} NEW  Roof`);
    expect(added.stdout.replace(/\s+/g, ' ')).toContain(
      'decided by the reviewer: new (the desk saw it come in). Photo evidence: cannot tell',
    );
    const decided = readJson('decided.json');
    expect([...Errors(ComparisonSchema, decided)]).toEqual([]);
    const { data } = decided;
    expect(data.counts.new).toBe(1);
    expect(data.condition_score.on_same_places).toBeLessThan(data.condition_score.before);
    expect(data.changes.find((one: { row: number }) => one.row === row)).toMatchObject({
      change: 'new',
      decision: 'new',
      change_by_photos: 'cannot_tell',
      decision_note: 'the desk saw it come in',
    });
    const known = await decide('was_there');
    expect(known.code).toBe(0);
    expect(known.stderr).not.toContain('does not count');
    expect(known.stdout).toContain(`${row} UNCHANGED  Roof`);
  });

  const failure = { code: 'NO_USABLE_IMAGES', message: 'No usable photo.' };
  write('failed.json', {
    ...inspection,
    data: { ...inspection.data, status: 'failed', results: null, failure },
  });
  write('other.json', { ...inspection, data: { ...inspection.data, vehicle_id: 'another' } });
  write('photos/front.jpg', '');
  const HINT = 'photos is a folder of photos, not a result. vehi inspect photos -o result.json, then give';
  it.each([
    [`${COMPARE} --decide 99=new`, 2, 'there is no row 99'],
    [`${COMPARE} --decide 1=fixed`, 2, 'ROW=new, ROW=was_there, ROW=not_chargeable'],
    [`${COMPARE} --decide B4=new`, 2, 'not listed in the later inspection'],
    ['compare result.json photos', 3, HINT],
    ['compare failed.json result.json', 3, 'failed.json is an inspection that failed: No usable photo.'],
    ['compare result.json other.json', 3, '--any-vehicle'],
    ['compare result.json other.json --any-vehicle', 0, ''],
  ])('%s ends with %i: %s', async (line, code, said) => {
    const ran = await run(line);
    expect([ran.code, ran.stderr.replace(/\s+/g, ' ')]).toEqual([code, expect.stringContaining(said)]);
  });

  const models = inspection.data.models.map((one) => ({ ...one, sha256: '9'.repeat(64) }));
  it.each([
    ['same_photos', 'in both inspections', { images: inspection.data.images }],
    ['other_models', 'different models', { models }],
    ['other_settings', 'different settings', { settings: { sensitivity: 'high', min_confidence: null } }],
  ])('says first of a comparison that it is doubtful: %s, %s', async (difference, said, change) => {
    writeLater('doubtful.json', ({ data }) => Object.assign(data, change));
    const ran = await run('compare result.json doubtful.json -o doubt.json');
    expect([ran.code, ran.stdout.replace(/\s+/g, ' ')]).toEqual([0, expect.stringContaining(said)]);
    expect(readJson('doubt.json').data.differences).toContain(difference);
  });
});
