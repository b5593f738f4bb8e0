// @module-tag slow: photos are decoded
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeClaimFolder, NOW } from '../../helpers/cli/claim-folder.ts';

const { folder, inspection, run } = await makeClaimFolder();

/** The inspection with its photos taken again: the same photos would not show a change of the vehicle. */
function retaken(one: typeof inspection): typeof inspection {
  const later = structuredClone(one);
  for (const photo of later.data.images) photo.sha256 = `f${photo.index}`.padEnd(64, '0');
  return later;
}

describe('vehi compare', { timeout: 60_000 }, () => {
  it('calls nothing new or repaired without the photos, and says why', async () => {
    const later = retaken(inspection);
    const [first, second] = later.data.results?.damages ?? [];
    if (!later.data.results || !first || !second) throw new Error('the example has damages');
    later.data.results.damages = [
      { ...second, damage_id: 'dmg_roof_009', number: 9, location: { ...second.location, part: 'roof' } },
    ];
    writeFileSync(join(folder, 'later.json'), JSON.stringify(later));
    const outputs = ['-o', 'pdf=change.pdf', '-o', 'json=change.json', '--fail-on', 'new'];
    const ran = await run(['compare', 'result.json', 'later.json', ...outputs, ...NOW]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('--fail-on does not count 1 damage that the earlier photos neither show');
    const { data } = JSON.parse(readFileSync(join(folder, 'change.json'), 'utf8'));
    expect(data.counts).toMatchObject({ new: 0, changed: 0, repaired: 0 });
    expect(data.differences).toEqual(['no_record']);
    expect(ran.stdout.toString()).toContain('0 new · 0 changed · 0 repaired');
    expect(ran.stdout.toString()).toMatch(/run vehi inspect on its photos\s+again/);
    const again = readFileSync(join(folder, 'change.pdf'));
    const quiet = await run(['compare', 'result.json', 'later.json', '-q', '-o', 'pdf=change.pdf', ...NOW]);
    expect(quiet.stderr).not.toContain('written to');
    expect(again.equals(readFileSync(join(folder, 'change.pdf')))).toBe(true);
  });

  it('lets a person decide a row, and keeps what the photos say', async () => {
    const roof = ['compare', 'result.json', 'later.json', '--fail-on', 'new', ...NOW];
    const open = JSON.parse((await run([...roof, '--json'])).stdout.toString()).data.changes;
    const row = open.find((one: { part: string }) => one.part === 'roof').row;
    const decide = (said: string) => run([...roof, '--decide', `${row}=${said}`, '-o', 'json=decided.json']);
    const added = await decide('new: the desk saw it come in');
    expect(added.code).toBe(1);
    expect(added.stdout.toString()).toContain(`${row} NEW  Roof`);
    const text = added.stdout.toString().replace(/\s+/g, ' ');
    expect(text).toContain(
      'decided by the reviewer: new (the desk saw it come in). Photo evidence: cannot tell',
    );
    const { data } = JSON.parse(readFileSync(join(folder, 'decided.json'), 'utf8'));
    expect(data.counts.new).toBe(1);
    expect(data.condition_score.on_same_places).toBeLessThan(data.condition_score.before);
    expect(data.changes.find((one: { row: number }) => one.row === row)).toMatchObject({
      change: 'new',
      decision: 'new',
      decision_note: 'the desk saw it come in',
      change_by_photos: 'cannot_tell',
    });
    const known = await decide('was_there');
    expect(known.code).toBe(0);
    expect(known.stderr).not.toContain('does not count');
    expect(known.stdout.toString()).toContain(`${row} UNCHANGED  Roof`);
  });

  it.each([
    ['a row that is not there', '99=new', 'there is no row 99'],
    ['an unknown word', '1=fixed', 'ROW=new, ROW=was_there, ROW=not_chargeable'],
    ['new for what the later visit does not list', 'B4=new', 'not listed in the later inspection'],
  ])('refuses %s', async (_, decision, said) => {
    const ran = await run(['compare', 'result.json', 'later.json', '--decide', decision]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(said);
  });

  it.each([
    [
      ['photos', 'photos'],
      'photos is a folder of photos, not a result.',
      'vehi inspect photos -o result.json, then give result.json',
    ],
    [
      ['result.json', 'photos'],
      'photos is a folder of photos, not a result.',
      'vehi inspect photos -o result.json, then give result.json',
    ],
    [
      ['failed.json', 'result.json'],
      'failed.json is an inspection that failed: No usable photo.',
      'failed.json is an inspection that failed',
    ],
  ])('says of %j what it is and what to do', async (sources, said, hint) => {
    const failure = { code: 'NO_USABLE_IMAGES', message: 'No usable photo.' };
    const failed = { ...inspection, data: { ...inspection.data, status: 'failed', results: null, failure } };
    writeFileSync(join(folder, 'failed.json'), JSON.stringify(failed));
    const ran = await run(['compare', ...sources]);
    expect(ran.code).toBe(3);
    const text = ran.stderr.replace(/\s+/g, ' ');
    expect(text).toContain(said);
    expect(text).toContain(hint);
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

describe('what a reader has to know first', { timeout: 60_000 }, () => {
  it.each([
    ['same_photos', (_: typeof inspection) => undefined, 'in both inspections'],
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
  ])('%s is said', async (difference, change, said) => {
    const later = difference === 'same_photos' ? structuredClone(inspection) : retaken(inspection);
    change(later);
    writeFileSync(join(folder, 'doubtful.json'), JSON.stringify(later));
    const ran = await run(['compare', 'result.json', 'doubtful.json', '-o', 'json=doubt.json', ...NOW]);
    expect(ran.code).toBe(0);
    expect(ran.stdout.toString().replace(/\s+/g, ' ')).toContain(said);
    const { data } = JSON.parse(readFileSync(join(folder, 'doubt.json'), 'utf8'));
    expect(data.differences).toContain(difference);
  });
});
