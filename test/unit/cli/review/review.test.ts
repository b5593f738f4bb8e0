import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAssessmentRequest } from '../../../../src/cli/assess/assess-input.ts';
import { main } from '../../../../src/cli/main.ts';
import type { ReviewFlags } from '../../../../src/cli/review/flags.ts';
import { runReview } from '../../../../src/cli/review/review.run.ts';
import type { Asker } from '../../../../src/cli/terminal/asker.ts';
import type { CliContext } from '../../../../src/cli/terminal/context.ts';
import type { Damage } from '../../../../src/contract/inspection.ts';
import { createResults } from '../../../../src/engine/inspect/results.ts';
import { createPricer, loadTablesWith } from '../../../../src/engine/pricer.ts';
import { createEngine } from '../../../../src/index.ts';
import { answering } from '../../../helpers/cli/answering.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';
import { FIXTURES } from '../../../helpers/cli/run-cli.ts';
import { runMain } from '../../../helpers/cli/run-inside.ts';
import { makeOwnFolder } from '../../../helpers/own-folder.ts';
import { exampleGrounds } from '../../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const dir = makeOwnFolder('review');
const NOW = '2026-01-31T12:00:00Z';

function damage(n: number, part: Damage['location']['part']): Damage {
  const coordinates = { x: 10, y: 10, width: 50, height: 50, image_width: 1920, image_height: 1080 };
  return {
    damage_id: `dmg_${part}_001`,
    number: n,
    type: 'dent',
    severity: 'severe',
    severity_score: 5.5,
    location: { part, side: 'front', coordinates },
    confidence: 0.8,
    image_url: 'front.jpg',
    annotated_url: null,
    estimated_repair: { min: 500, max: 700, estimated: 600, currency: 'USD', repair_type: 'panel_repair' },
    evidence: [{ image_index: 0, image_url: 'front.jpg', coordinates, confidence: 0.8 }],
    explain: [{ rule: 'severity.dent', inputs: { long_side_cm: 12 } }],
  };
}
const damages = [damage(1, 'hood'), damage(2, 'front_bumper'), damage(3, 'roof')];

beforeAll(async () => {
  const { status, data, meta } = exampleInspection({ damages: 0, photos: 1, rich: false });
  const url = join(FIXTURES, 'vehicle/front.jpg');
  const bytes = readFileSync(url);
  const { width, height } = await sharp(bytes).metadata();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const images = data.images.map((photo) => ({ ...photo, url, sha256, width, height }));
  const results = createResults(damages, [], exampleGrounds([]));
  writeFileSync(
    join(dir, 'result.json'),
    JSON.stringify({ status, data: { ...data, images, results }, meta }),
  );
});

beforeEach(() => rmSync(join(dir, 'result.review.json'), { force: true }));

function terminal(interactive: boolean) {
  const ctx: CliContext = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough().resume(),
    env: { XDG_CONFIG_HOME: '/nonexistent' },
    cwd: dir,
    now: () => new Date(NOW),
    interactive,
    colour: { stdout: 0, stderr: 0 },
    setExitCode: () => undefined,
    onStop: () => () => undefined,
  };
  return ctx;
}

const written = (name: string) => JSON.parse(readFileSync(join(dir, name), 'utf8'));

test('questions: accepted stays, rejected goes, changed is priced again; both values are kept', async () => {
  const answers = ['accept', 'reject', 'change', 'hood', 'scratch', 'minor'];
  await runReview('result.json', {}, terminal(true), answering(answers));
  const { data, review } = written('result.reviewed.json');
  const [first, last] = data.results.damages;
  expect(data.results.damages).toHaveLength(2);
  expect(first).toEqual(damages[0]);
  expect(last).toMatchObject({
    damage_id: 'dmg_roof_001',
    number: 3,
    type: 'scratch',
    severity: 'minor',
    location: { part: 'hood' },
  });
  expect(last.severity_score).toBeLessThan(2.5);
  const range = createPricer(await loadTablesWith(undefined), 'US_MIDWEST', 'USD').estimate({
    type: 'scratch',
    part: 'hood',
    severity: 'minor',
    severityScore: last.severity_score,
    sizeCm: 12,
  });
  expect(last.estimated_repair.estimated * 100).toBeCloseTo(range.estimatedMinor, 4);
  expect(data.results.damage_summary.total_estimated_repair.min).toBeCloseTo(
    500 + last.estimated_repair.min,
    6,
  );
  expect(review.decisions.map((one: { decision: string }) => one.decision)).toEqual([
    'accept',
    'reject',
    'change',
  ]);
  expect(review.decisions[1]).toMatchObject({ original: damages[1], corrected: null });
  expect(review.decisions[2].original).toEqual(damages[2]);
  expect(review.not_reviewed).toEqual([]);
});

test('stopping keeps the rest as found and says so', async () => {
  await runReview('result.json', { output: 'stopped.json' }, terminal(true), answering(['reject', 'stop']));
  expect(written('stopped.json').review.not_reviewed).toEqual(['dmg_front_bumper_001', 'dmg_roof_001']);
});

test('the estimate that a result holds is made again of what is left, on the same terms', async () => {
  const result = written('result.json');
  const engine = await createEngine({ models: 'when-needed' });
  const request = { ...readAssessmentRequest(result), settlement: { deductible: 500 } };
  const text = JSON.stringify({ ...result, assessment: engine.assess(request) });
  await engine.close();
  writeFileSync(join(dir, 'estimated.json'), text);
  const answers = ['reject', 'accept', 'accept'];
  await runReview('estimated.json', { output: 'again.json' }, terminal(true), answering(answers));
  const { assessed_damages, summary } = written('again.json').assessment.data;
  expect(assessed_damages.map((one: Damage) => one.damage_id)).toEqual([
    'dmg_front_bumper_001',
    'dmg_roof_001',
  ]);
  expect(summary.settlement.terms).toMatchObject({ deductible: 500 });
});

test('back decides the finding before again; what is left undecided stays as found', async () => {
  const answers = ['reject', 'leave', 'back', 'back', 'accept', 'reject', 'leave'];
  await runReview('result.json', { output: 'back.json' }, terminal(true), answering(answers));
  const { review } = written('back.json');
  expect(review.decisions.map((one: { decision: string }) => one.decision)).toEqual(['accept', 'reject']);
  expect(review.not_reviewed).toEqual(['dmg_roof_001']);
});

test.each([
  ['what was decided', ['reject'], 'left.json', true],
  ['nothing where nothing was decided', [], 'nothing.json', false],
])('Ctrl-C keeps %s', async (_, answers, output, isWritten) => {
  const codes: number[] = [];
  const ctx = { ...terminal(true), setExitCode: (code: number) => void codes.push(code) };
  const asker = answering(answers);
  const left = Object.assign(new Error('left'), { name: 'ExitPromptError' });
  const select: Asker['select'] = (message, choices) =>
    answers.length > 0 ? asker.select(message, choices).finally(() => answers.pop()) : Promise.reject(left);
  await runReview('result.json', { output }, ctx, { ...asker, select });
  expect([existsSync(join(dir, output)), codes]).toEqual([isWritten, [130]]);
});

test('the same command goes on at the first undecided finding, and says what was decided before', async () => {
  const first = answering(['reject', 'accept', 'stop']);
  await runReview('result.json', { output: 'on.json' }, terminal(true), first);
  const asked: string[] = [];
  const rest = answering(['back', 'keep', 'reject']);
  const select: Asker['select'] = (message, choices) => {
    asked.push(message);
    return rest.select(message, choices);
  };
  await runReview('result.json', { output: 'on.json' }, terminal(true), { ...rest, select });
  expect(asked).toEqual(['Finding 3 of 3', 'Finding 2 of 3, accepted so far', 'Finding 3 of 3']);
  const { review } = written('on.json');
  expect(review.decisions.map((one: { decision: string }) => one.decision)).toEqual([
    'reject',
    'accept',
    'reject',
  ]);
});

const ESC = '\u001b';

describe('the close-up of a finding', () => {
  const review = async (env: Record<string, string>, flags: ReviewFlags = {}) => {
    const screen = fakeTerminal({ cwd: dir, interactive: true, isTTY: true, env });
    await runReview('result.json', { output: 'seen.json', ...flags }, screen.ctx, answering(['stop']));
    return screen.stderr();
  };

  test('in kitty it is shown as PNG', async () => {
    const shown = await review({ TERM: 'xterm-kitty', KITTY_WINDOW_ID: '1' });
    const data = [...shown.matchAll(new RegExp(`${ESC}_G[^;]*;([^${ESC}]*)${ESC}\\\\`, 'g'))]
      .map(([, piece]) => piece)
      .join('');
    const { format, width = 0, height = 0 } = await sharp(Buffer.from(data, 'base64')).metadata();
    expect(format).toBe('png');
    expect(width / height).toBeCloseTo(4 / 3, 1);
    expect(shown).not.toContain('close-up:');
  });

  test('in iTerm2 as JPEG', async () => {
    const shown = await review({ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' });
    const data = /1337;File=inline=1;[^:]*:([\w+/=]*)/.exec(shown)?.[1] ?? '';
    expect((await sharp(Buffer.from(data, 'base64')).metadata()).format).toBe('jpeg');
  });

  test('elsewhere the path of a file is printed, which is there while it is asked for and gone afterwards', async () => {
    let path = '';
    let format: string | undefined;
    const screen = fakeTerminal({ cwd: dir, interactive: true, isTTY: true, env: { TERM: 'xterm' } });
    const asker: Asker = {
      ...answering([]),
      select: async () => {
        path = /close-up: (\S+)/.exec(screen.stderr())?.[1] ?? '';
        format = (await sharp(readFileSync(path)).metadata()).format;
        return 'stop' as never;
      },
    };
    await runReview('result.json', { output: 'seen.json' }, screen.ctx, asker);
    expect(format).toBe('jpeg');
    expect(existsSync(path)).toBe(false);
  });

  test('a photo that is gone or another one is said, and the review goes on', async () => {
    mkdirSync(join(dir, 'others'), { recursive: true });
    copyFileSync(join(FIXTURES, 'vehicle/rear.jpg'), join(dir, 'others/front.jpg'));
    const envelope = written('result.json');
    envelope.data.images[0].url = 'front.jpg';
    for (const one of envelope.data.results.damages) one.evidence[0].image_url = 'front.jpg';
    writeFileSync(join(dir, 'moved.json'), JSON.stringify(envelope));
    const screen = fakeTerminal({ cwd: dir, interactive: true, isTTY: true, env: { TERM: 'xterm' } });
    await runReview('moved.json', { photos: 'others' }, screen.ctx, answering(['accept', 'stop']));
    expect(screen.stderr()).toContain('no close-up: the file has changed since the inspection.');
    expect(written('moved.reviewed.json').review.decisions).toHaveLength(1);
  });
});

test('decisions from a file, on the command line', async () => {
  const decisions = [{ damage_id: 'dmg_hood_001', decision: 'change', severity: 'critical' }];
  writeFileSync(join(dir, 'decisions.json'), JSON.stringify(decisions));
  const args = ['review', 'result.json', '--decisions', 'decisions.json', '-o', 'out.json'];
  const where = { cwd: dir, env: { XDG_CONFIG_HOME: '/nonexistent' }, stdin: Readable.from([]) };
  const run = await runMain(main, args, where);
  expect(run.stderr).toContain('1 changed, 2 not reviewed');
  expect(run.code).toBe(0);
  const result = written('out.json').data.results;
  expect(result.damages[0]).toMatchObject({ severity: 'critical', severity_score: 7.5 });
  expect(result.damage_summary.by_severity).toMatchObject({ critical: 1, severe: 2 });
  // A corrected result is a result again.
  expect((await runMain(main, ['report', 'out.json', '-o', 'out.html'], where)).code).toBe(0);
});

test('without a terminal the flag is named', async () => {
  await expect(runReview('result.json', {}, terminal(false))).rejects.toMatchObject({
    kind: 'usage',
    hint: expect.stringContaining('--decisions FILE'),
  });
});

test.each([
  ['no list', {}, 'top level is an object; a list is needed'],
  ['an unknown damage', [{ damage_id: 'dmg_hod_001', decision: 'accept' }], 'dmg_hood_001'],
  ['an unknown decision', [{ damage_id: 'dmg_hood_001', decision: 'agree' }], '[0].decision'],
  ['a change of nothing', [{ damage_id: 'dmg_hood_001', decision: 'change' }], 'type, severity, part or box'],
  ['an unknown part', [{ damage_id: 'dmg_hood_001', decision: 'change', part: 'wing' }], '[0].part'],
  ['an unknown field', [{ damage_id: 'dmg_hood_001', decision: 'accept', note: 1 }], '[0].note'],
])('%s is refused', async (_, decisions, words) => {
  writeFileSync(join(dir, 'bad.json'), JSON.stringify(decisions));
  const flags = { decisions: 'bad.json', output: 'never.json' };
  await expect(runReview('result.json', flags, terminal(false))).rejects.toThrow(words);
});
