import { readdirSync } from 'node:fs';
import { Check } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { type InspectionEnvelope, InspectionEnvelopeSchema } from '../../../src/contract/inspection.ts';
import { openBuilt } from '../../helpers/cli/run-inside.ts';
import { writeDrawnCar } from '../../helpers/photos/drawn-car.ts';

const VIEWS = ['front_left.jpg', 'front.jpg', 'left_side.jpg', 'rear_right.jpg'];
/** What flags, files and streams do is asked of drawn photos and the tiny models. */
const { folder, at, read, readJson, run, write } = openBuilt('inspect');

const parse = (text: string) => JSON.parse(text) as InspectionEnvelope;

beforeAll(async () => {
  write('drawn/notes.txt', '');
  for (const [shade, view] of VIEWS.entries()) await writeDrawnCar(at(`drawn/${view}`), shade);
});

describe('vehi inspect', () => {
  test('--json is one document of the contract whose counts agree, and the same on every run', async () => {
    const inspectAll = () => run('inspect drawn --json --detailed --hidden-damage --sensitivity high');
    const first = await inspectAll();
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect((await inspectAll()).stdout).toBe(first.stdout);
    const envelope = parse(first.stdout);
    expect(Check(InspectionEnvelopeSchema, envelope)).toBe(true);
    const { data, meta } = envelope;
    expect(data).toMatchObject({
      vehicle_id: 'drawn',
      status: 'completed',
      created_at: '2026-01-31T12:00:00.000Z',
      partial: false,
      // Drawn from one side; what the parts show counts, not the names of the files.
      images: VIEWS.map((view) => ({ url: `drawn/${view}`, angle: 'front', angle_source: 'parts_seen' })),
      missing_views: ['rear', 'left', 'right'],
    });
    const { damages, damage_summary: sums, parts_affected: parts } = data.results ?? expect.fail();
    expect(damages.length).toBeGreaterThan(0);
    const counts = [sums.by_severity, sums.by_type, parts.map((part) => part.damage_count)];
    for (const count of counts)
      expect(Object.values(count).reduce((all, one) => all + one, 0)).toBe(damages.length);
    expect(meta).toMatchObject({
      images_processed: 4,
      region: 'US_MIDWEST',
      currency: 'USD',
      labor_rate_used: 115,
    });
  });

  test('files given by -o are whole and stdout keeps the table, also where --fail-on ends with 1', async () => {
    const conditions = ['minor', 'cost>1', 'score<9.9'];
    const outputs = '-o deep/er/result.json --output csv=d.csv';
    const { code, stdout, stderr } = await run(`inspect drawn ${outputs} --fail-on ${conditions.join()}`);
    expect(code).toBe(1);
    for (const one of conditions) expect(stderr).toContain(`--fail-on ${one} was hit`);
    expect(stdout).toMatch(
      /^drawn · \d+ photos? · [\s\S]*\nDAMAGE {2}\d.*\nCHECK .*\s+vehi report \S+result\.json\n/,
    );
    expect(Check(InspectionEnvelopeSchema, readJson('deep/er/result.json'))).toBe(true);
    expect(read('d.csv').split('\n').length).toBeGreaterThan(1);
    expect(readdirSync(at('deep/er'))).toEqual(['result.json']);
  });

  test('a list on stdin, and a single photo with a coverage warning, which --strict refuses', async () => {
    const { code, stdout, stderr } = await run('inspect - --json --strict', {}, 'drawn/front.jpg\n');
    expect(parse(stdout).data.warnings.map((warning) => warning.code)).toEqual(['coverage']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('1 photo; at least 4 are needed')]);
  });

  test('annotated photos, and one of several files, that cannot be written cost nothing else', async () => {
    // A folder cannot be made below a file, for root neither: what a full disk does to one of several places.
    const below = 'drawn/front.jpg/x';
    const line = `inspect drawn/front.jpg --annotated ${below} -o ${below}.json -o all-the-same.csv`;
    const { code, stdout, stderr } = await run(line);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^drawn · 1 photo · [\s\S]*\nDAMAGE {2}\d/);
    // What to do next names the file only if it was written.
    expect(stdout).not.toMatch(/vehi (review|report)/);
    expect(stderr).toMatch(/^vehi: cannot write drawn\/front.jpg\/x\/.+\n {2}Choose another/m);
    expect(stderr).toMatch(/^vehi: cannot write drawn\/front.jpg\/x.json: /m);
    expect(read('all-the-same.csv').split('\n').length).toBeGreaterThan(1);
  });

  test('assessment, PDF, HTML and annotated photos; a report and a comparison of the JSON', async () => {
    const outputs = '-o r.json -o r.pdf -o r.html --annotated marked';
    const { code } = await run(`inspect drawn/front.jpg --assess ${outputs}`, { VEHI_PAGE_SIZE: 'Letter' });
    expect(code).toBe(0);
    const { data, assessment } = readJson('r.json');
    expect(assessment.data.inspection_id).toBe(data.inspection_id);
    expect(read('r.pdf')).toMatch(/^%PDF-[\s\S]*\/MediaBox \[0 0 612 792\]/);
    expect(read('r.html').slice(0, 15)).toBe('<!doctype html>');
    expect(readdirSync(at('marked'))).toEqual(['front.jpg']);
    const { damages } = data.results;
    expect(damages.length).toBeGreaterThan(0);
    for (const damage of damages) expect(damage.annotated_url).toMatch(/^marked\//);
    expect((await run('report r.json -o again.html')).code).toBe(0);
    expect((await run('compare r.json r.json --json')).code).toBe(0);
  });

  test('--redact on never writes a picture that only looks redacted', async () => {
    // These models find no plates.
    expect((await run('inspect drawn/front.jpg --redact on --annotated redacted')).code).toBe(4);
    expect(readdirSync(folder)).not.toContain('redacted');
  });
});
