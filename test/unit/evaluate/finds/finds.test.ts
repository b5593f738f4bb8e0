import { describe, expect, it, test } from 'vitest';
import type { PartMap } from '../../../../src/domain/sight/detection.ts';
import { kindOf, scoreFinds } from '../../../../src/evaluate/finds/finds-score.ts';
import { fitJudge, judgeByFolds } from '../../../../src/evaluate/finds/fit-judge.ts';
import { fitLimits } from '../../../../src/evaluate/finds/fit-limits.ts';
import {
  type LabelledDamage,
  type LabelledPhoto,
  parseLabelledPhotos,
} from '../../../../src/evaluate/finds/labelled-photos.ts';
import { fitLogistic } from '../../../../src/evaluate/finds/logistic.ts';
import {
  certainFrom,
  limitFor,
  limitForVehicles,
  listedFrom,
  reportFinds,
  type SeenPhoto,
} from '../../../../src/evaluate/finds/measure-finds.ts';
import { judgeFind, touches } from '../../../../src/evaluate/finds/touch.ts';
import { scoreVehicle } from '../../../../src/evaluate/finds/vehicle-finds.ts';
import { judge } from '../../../../src/vision/judge/judge.ts';

const box = (x: number, width = 10, height = 10) => ({ x, y: 0, width, height });
const damage = (at: number, more: Partial<LabelledDamage> = {}): LabelledDamage => ({
  type: 'scratch',
  severity: 'minor',
  part: 'front_door_left',
  box: box(at),
  sure: true,
  vehicleDamage: undefined,
  ...more,
});
const photo = (damages: LabelledDamage[], more: Partial<LabelledPhoto> = {}): LabelledPhoto => ({
  file: 'a.jpg',
  size: { width: 1000, height: 100 },
  clean: damages.length === 0,
  damages,
  vehicle: undefined,
  group: 'a',
  ...more,
});
const find = (at: number, more: object = {}) => ({
  type: 'scratch' as const,
  part: 'front_door_left',
  box: box(at),
  ...more,
});

describe('touch', () => {
  test.each([
    ['a tenth in common', box(0), box(8), true],
    ['less', box(0), box(9), false],
    ['half of the smaller inside', box(0, 100, 100), box(95), true],
    ['apart', box(0), box(50), false],
  ])('%s', (_, a, b, wanted) => expect(touches(a, b)).toBe(wanted));

  test.each([
    ['a sure damage', box(0), [damage(2)], 'right'],
    ['an unsure damage alone', box(0), [damage(2, { sure: false })], 'unsure'],
    ['both', box(0), [damage(2), damage(0, { sure: false })], 'right'],
    ['nothing', box(50), [damage(2)], 'wrong'],
    ['ten times its area', box(0, 100), [damage(2)], 'right'],
    ['eleven times its area', box(0, 110), [damage(2)], 'too_large'],
    ['eleven times the area of one of two', box(0, 110), [damage(2), damage(50)], 'right'],
  ])('a find on %s', (_, at, damages, verdict) => {
    const judged = judgeFind(at, damages);
    expect(judged.verdict).toBe(verdict);
    expect(judged.touched.length > 0).toBe(verdict === 'right');
  });
});

describe('scoreFinds', () => {
  it('counts damages, photos, alarms and names', () => {
    const score = scoreFinds([
      {
        photo: photo([
          damage(0),
          damage(100, { severity: 'severe', type: 'lamp_damage', part: 'headlight_right' }),
          damage(200, { sure: false }),
        ]),
        finds: [find(0), find(1, { part: 'front_door_right', type: 'dent' }), find(200), find(300)],
      },
      { photo: photo([damage(0, { part: 'other:rocker' })]), finds: [] },
      { photo: photo([damage(0, { sure: false })]), finds: [find(50)] },
      { photo: photo([]), finds: [find(0)] },
      { photo: photo([]), finds: [] },
    ]);
    expect(score).toEqual({
      damagedPhotos: 2,
      cleanPhotos: 2,
      damages: 3,
      moderateOrWorseDamages: 1,
      found: 1 / 3,
      foundModerateOrWorse: 0,
      damagedPhotosRight: 0.5,
      precision: 0.5,
      cleanAlarms: 0.5,
      kindRight: 0.5,
      partRight: 0.5,
      undoubtedPartRight: 0.5,
      sideRight: 0.5,
      right: 2,
      wrong: 2,
      tooLarge: 0,
      unsure: 1,
    });
  });

  it('has no shares of nothing', () => {
    expect(scoreFinds([])).toMatchObject({
      found: null,
      precision: null,
      cleanAlarms: null,
      sideRight: null,
    });
  });

  test.each([
    ['scratch', 'hood', 'surface'],
    ['rust', 'hood', 'surface'],
    ['crack', 'front_bumper', 'body'],
    ['glass_damage', 'windshield', 'glass'],
    ['glass_damage', 'taillight_left', 'lamp'],
    ['lamp_damage', 'front_bumper', 'lamp'],
  ] as const)('%s on %s is of the kind %s', (type, part, kind) => expect(kindOf(type, part)).toBe(kind));
});

it('scores a walk-around by its distinct damages', () => {
  const photos = [
    photo([damage(0, { vehicleDamage: 'd1' }), damage(100, { vehicleDamage: 'd2' })]),
    photo([damage(50, { vehicleDamage: 'd1' }), damage(200, { vehicleDamage: 'd3', sure: false })]),
  ];
  const finds = [
    {
      evidence: [
        { photo: 0, box: box(500) },
        { photo: 1, box: box(50) },
      ],
    },
    { evidence: [{ photo: 1, box: box(200) }] },
    { evidence: [{ photo: 0, box: box(600) }] },
  ];
  expect(scoreVehicle('car', photos, finds)).toEqual({
    vehicle: 'car',
    photos: 2,
    damages: 2,
    found: 1,
    wrong: 1,
  });
});

describe('parseLabelledPhotos', () => {
  const label = { type: 'dent', severity: 'minor', part: 'hood', bbox: [1, 2, 3, 4] };
  const one = { file: 'a.jpg', width: 9, height: 9, damages: [label] };
  test.each([
    [
      'a list',
      [{ ...one, source_folder: 's' }],
      { file: 'a.jpg', vehicle: undefined, group: 's', clean: false },
    ],
    ['a named vehicle', [{ ...one, source_folder: 's', vehicle: 'v' }], { vehicle: undefined, group: 'v' }],
    [
      'a walk-around',
      { photos: [{ ...one, folder: 'f', car: 'A' }] },
      { file: 'f/a.jpg', vehicle: 'f A', group: 'f A' },
    ],
    ['a clean photo', [{ ...one, damages: [] }], { clean: true, group: 'a.jpg' }],
  ])('reads %s', (_, file, wanted) =>
    expect(parseLabelledPhotos(JSON.stringify(file), 'l.json')[0]).toMatchObject(wanted),
  );

  it('takes a label for sure unless it says otherwise', () => {
    const file = [{ ...one, damages: [label, { ...label, sure: false }] }];
    expect(parseLabelledPhotos(JSON.stringify(file), 'l.json')[0]?.damages.map(({ sure }) => sure)).toEqual([
      true,
      false,
    ]);
  });

  test.each([
    ['a type', { type: 'hole' }, '[0].damages[0].type'],
    ['a severity', { severity: 'bad' }, 'severity'],
    ['a box', { bbox: [1, 2, 3] }, 'bbox'],
    ['a certainty', { sure: 'yes' }, 'sure'],
  ])('names %s that is wrong', (_, change, place) => {
    const file = [{ ...one, damages: [{ ...label, ...change }] }];
    expect(() => parseLabelledPhotos(JSON.stringify(file), 'l.json')).toThrow(place);
  });

  it('does not leave the folder', () => {
    expect(() => parseLabelledPhotos(JSON.stringify([{ ...one, file: '../a.jpg' }]), 'l.json')).toThrow(
      'file',
    );
  });
});

const PARTS: PartMap = {
  labels: ['background'],
  width: 1,
  height: 1,
  best: new Uint8Array(1),
  certainty: new Uint8Array(1),
};
/** States every detection as a scratch of a door. */
const understand = (
  sighting: { detections: readonly { box: object; confidence: number }[] },
  { index }: { index: number },
  limits: { certain: number },
) =>
  sighting.detections.map(
    (one) =>
      ({
        ...find(0),
        ...one,
        photo: index,
        certain: one.confidence >= limits.certain,
        severityScore: 1,
        place: null,
        longSideCm: 9,
        explain: [],
      }) as never,
  );
const seen = (own: LabelledPhoto, ...found: [at: number, confidence: number][]): SeenPhoto => ({
  photo: own,
  findings: found.map(([at, confidence]) => ({ label: 'scratch', box: box(at), confidence })),
  parts: PARTS,
  presence: undefined,
});

describe('limits and curve', () => {
  const clean = [
    seen(photo([]), [0, 0.4]),
    seen(photo([]), [0, 0.6], [50, 0.2]),
    seen(photo([])),
    seen(photo([]), [0, 0.1]),
  ];
  test.each([
    [0, 0.601],
    [0.25, 0.401],
    [0.5, 0.101],
    [0.74, 0.101],
    [0.75, 0.001],
    [1, 0.001],
  ])('at most %d of the clean photos alarm from %d on', (share, limit) =>
    expect(limitFor(share, clean, understand, certainFrom)).toBeCloseTo(limit, 9),
  );

  test.each([
    [0, 0.601],
    [1, 0.201],
    [2, 0.001],
  ])(
    'at most %d finds of a walk-around, one place in two photos being one, are listed from %d on',
    (most, limit) => {
      const walk = [
        seen(photo([], { vehicle: 'f A' }), [0, 0.5], [50, 0.2]),
        seen(photo([], { vehicle: 'f A' }), [0, 0.6]),
      ];
      const listed = (from: number) => listedFrom(from, 0.9);
      expect(limitForVehicles(most, [walk], understand, listed)).toBeCloseTo(limit, 9);
    },
  );

  it('reports both levels, the curve and the vehicles', () => {
    const walk = photo([damage(0, { vehicleDamage: 'd1' })], { vehicle: 'f A' });
    const report = reportFinds(
      [...clean, seen(walk, [0, 0.5], [300, 0.3])],
      { certain: 0.45, toCheck: 0.25 },
      understand,
    );
    expect(report.certain).toMatchObject({ limit: 0.45, found: 1, precision: 1, cleanAlarms: 0.25 });
    expect(report.toCheck).toMatchObject({ precision: 0.5, cleanAlarms: 0.5 });
    expect(report.curve.map(({ cleanAlarms }) => cleanAlarms)).toEqual([0, 0, 0, 0, 0, 0.25, 0.25, 0.5]);
    expect(report.vehicles).toEqual([
      {
        certain: { vehicle: 'f A', photos: 1, damages: 1, found: 1, wrong: 0 },
        toCheck: { vehicle: 'f A', photos: 1, damages: 1, found: 1, wrong: 1 },
      },
    ]);
  });
});

describe('fitting', () => {
  it('finds the weights of a logistic regression', () => {
    const rows = Array.from({ length: 400 }, (_, n) => [n / 100 - 2, Math.sin(n)]);
    const fitted = fitLogistic(
      rows,
      rows.map(([x = 0], n) => x + Math.sin(7 * n) > 0.5),
      0.1,
    );
    expect(fitted.weights[0]).toBeGreaterThan(1);
    expect(Math.abs(fitted.weights[1] ?? 1)).toBeLessThan(0.4);
    const zero = (0 - (fitted.means[0] ?? 0)) / (fitted.deviations[0] ?? 1);
    expect(fitted.intercept + (fitted.weights[0] ?? 0) * zero).toBeLessThan(0);
  });

  const candidate = (at: number, evidence: number, label: 'scratch' | 'rust' = 'scratch') => ({
    label,
    box: box(at),
    score: 0.5,
    confidence: 0.5,
    evidence: [evidence],
  });
  /** Photos with a right and a wrong candidate each, every second one clean. */
  const photos = Array.from({ length: 20 }, (_, n) => ({
    ...seen(photo(n % 2 ? [] : [damage(0)], { group: `g${n}`, vehicle: n % 2 ? 'f A' : undefined })),
    findings: n % 2 ? [candidate(300, -2 + Math.cos(n))] : [candidate(0, 2 + Math.sin(n))],
  }));
  const sane = (sighting: { detections: readonly { label: string }[] }, ...rest: [never, never]) =>
    understand({ detections: sighting.detections.filter(({ label }) => label !== 'rust') } as never, ...rest);

  it('learns nothing from candidates that an inspection drops', () => {
    const misled = photos.map((one) => ({
      ...one,
      findings: [...one.findings, ...Array.from({ length: 5 }, () => candidate(500, 3, 'rust'))],
    }));
    expect(fitLimits([misled], sane as never)).toEqual(fitLimits([photos], sane as never));
    expect(fitLimits([misled], understand as never)).not.toEqual(fitLimits([photos], understand as never));
  });

  it('holds the budget of an undamaged walk-around', () => {
    const loud = photos.map((one, n) => ({
      ...one,
      findings: n === 1 || n === 3 ? [...one.findings, candidate(600, 4)] : one.findings,
    }));
    const { limits } = fitLimits([loud], sane as never);
    expect(limits.default.toCheck).toBeGreaterThan(limits.high.toCheck);
    const apart = loud.map((one) => ({ ...one, photo: { ...one.photo, vehicle: undefined } }));
    expect(fitLimits([apart], sane as never).limits.default.toCheck).toBeLessThan(limits.default.toCheck);
  });

  it('judges each group by weights that never saw it, and learns what is right', () => {
    const photos = Array.from({ length: 20 }, (_, n) => ({
      photo: photo([damage(0)], { group: `g${n}` }),
      findings: [
        { label: 'scratch' as const, box: box(0), score: 0.5, confidence: 0.5, evidence: [2 + Math.sin(n)] },
        {
          label: 'scratch' as const,
          box: box(300),
          score: 0.5,
          confidence: 0.5,
          evidence: [-2 + Math.cos(n)],
        },
      ],
    }));
    const judged = judgeByFolds(photos);
    for (const { findings } of judged)
      expect(findings[0]?.confidence).toBeGreaterThan(findings[1]?.confidence ?? 1);
    const own = judgeByFolds(
      photos.map((one, n) => (n === 0 ? { ...one, photo: photo([damage(300)], { group: 'g0' }) } : one)),
    );
    expect(own[0]?.findings.map(({ confidence }) => confidence)).toEqual(
      judged[0]?.findings.map(({ confidence }) => confidence),
    );
    expect(judge(fitJudge(photos), [2])).toBeGreaterThan(0.5);
  });
});
