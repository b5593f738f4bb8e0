import { describe, expect, test } from 'vitest';
import { renderChangesText } from '../../../../src/cli/review/changes-text.ts';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import type { Decision } from '../../../../src/contract/review.ts';
import { endInspection } from '../../../../src/engine/inspect/finish.ts';
import { applyDecisions } from '../../../../src/engine/review/apply.ts';
import { parseDecisions, readReviewable } from '../../../../src/engine/review/decisions.ts';
import { createRandom } from '../../../../src/lib/random.ts';
import { splitVehicles } from '../../../../src/report/split-vehicles.ts';
import {
  dent,
  EMPTY,
  FAR_SIDE,
  inspectPhotos,
  LEFT_SIDE,
  OPTIONS,
} from '../../../helpers/results/fake-inspection.ts';
import { pricer } from '../../../helpers/results/reviewed-result.ts';

const plate = (value: string) => [{ fact: 'plate' as const, value, box: [10, 20, 200, 40], confidence: 0.9 }];
/** Two vehicles with a dent each at the same place, and further damage; `e` shows nothing of a vehicle. */
const PHOTOS = {
  a: { read: plate('AB1234'), detections: [dent(350), dent(820, 0.4)] },
  b: { read: plate('AB1234'), detections: [dent(352, 0.7)] },
  c: { read: plate('XY9876'), detections: [dent(351, 0.75), dent(620)] },
  d: { read: plate('XY9876'), detections: [dent(640, 0.6)] },
  e: { parts: EMPTY },
};
const NAMES = Object.keys(PHOTOS);

const two = await inspectPhotos(PHOTOS);
const one = await inspectPhotos(PHOTOS, {}, { options: { ...OPTIONS, oneVehicle: true } });

const AT = new Date('2026-01-31T12:00:00Z');
const review = (of: InspectionEnvelope, decisions: readonly Decision[]) =>
  applyDecisions(of, parseDecisions(decisions, readReviewable(of), 'd.json'), {
    pricer,
    scenes: new Map(),
    reviewedAt: AT,
    reviewer: 'Ada',
  });
const move = (image_index: number, vehicle: number) =>
  ({ decision: 'vehicle', image_index, vehicle }) as const satisfies Decision;
const ALL_ONE = { decision: 'one_vehicle' } as const;
const imagesOf = ({ data }: InspectionEnvelope) => data.vehicle_groups.map(({ images }) => images);
const ids = ({ data }: InspectionEnvelope) => (data.results?.damages ?? []).map(({ damage_id }) => damage_id);

describe('photos moved to another vehicle', () => {
  test('each vehicle has the findings, grade, price and coverage of an inspection that had it so', () => {
    const divided = review(one, [move(0, 2), move(1, 2)]);
    const groups = [one, two, divided].map((of) => imagesOf(of).join(' | '));
    expect(groups).toEqual(['', '2,3,4 | 0,1', '2,3,4 | 0,1']);
    const [own, expected] = [divided, two].map((of) =>
      splitVehicles({ inspection: of, assessment: null }).map(({ results }) => ({
        coverage: results.coverage,
        notAssessed: results.not_assessed,
        dropped: results.dropped_detections,
        score: results.condition_score,
        cost: results.repair_cost,
        boxes: results.damages.map(({ evidence }) => evidence),
        next: results.next_photos.map(({ message }) => message),
      })),
    );
    expect(own).toEqual(expected);
    expect(divided.data.warnings.map(({ code }) => code)).toContain('several_vehicles');
    expect(divided.data.warnings.map(({ message }) => message).join()).not.toContain('--many');
  });

  test('are named on the terminal by index and folder, without control characters', () => {
    const moved = review(two, [move(0, 1)]);
    const rename = (index: number) => ({ url: `${index}/a\u001b[31m.jpg` });
    const images = moved.data.images.map((photo) => ({ ...photo, ...rename(photo.index) })).toReversed();
    const text = renderChangesText(two, { ...moved, data: { ...moved.data, images } }, 0);
    expect(text).toContain('another vehicle: 0/a\\u{1b}[31m.jpg (1).\n');
  });

  test('all on one vehicle: a result of one vehicle, with its grade, its price and the facts read', () => {
    const reviewed = review(two, [ALL_ONE]);
    const { data, review: record } = reviewed;
    expect(renderChangesText(two, reviewed, 0)).toMatch(/^All photos show one vehicle\.\n/);
    const { vehicles, mixed_vehicles, grade_basis: basis } = data.results ?? {};
    expect([vehicles, mixed_vehicles, basis?.vehicles]).toEqual([undefined, undefined, undefined]);
    expect(data.results?.coverage).toEqual(one.data.results?.coverage);
    const { warnings, vehicle } = one.data;
    expect([data.vehicle_groups, data.warnings, data.vehicle]).toEqual([[], warnings, vehicle]);
    expect(record.photos_moved).toEqual([0, 1].map((image_index) => ({ image_index, vehicle: 1 })));
    // Nothing is merged unasked: both dents at one place stay.
    expect(data.results?.damages).toHaveLength(two.data.results?.damages.length ?? 0);
  });

  test('are named by a later review as well, with the vehicle that they have then', () => {
    const first = review(one, [move(0, 2), move(1, 2), { decision: 'nothing_more', image_index: 4 }]);
    const later = [[], [ALL_ONE], [move(1, 3)]].map((decisions) => review(first, decisions).review);
    const moved = (...vehicles: number[]) =>
      vehicles.map((vehicle, image_index) => ({ image_index, vehicle }));
    expect(later.map(({ photos_moved }) => photos_moved)).toEqual([moved(2, 2), moved(1, 1), moved(2, 3)]);
    expect(later.map(({ photos_checked }) => photos_checked)).toEqual([[4], [4], [4]]);
  });

  test('a photo that shows a damage of another vehicle takes it along as a finding of its own', () => {
    const shared = one.data.results?.damages.find(({ evidence }) => evidence.length > 2) ?? expect.fail();
    const annotated = new Map([[2, 'marked/c.jpg']]);
    const { data } = review(endInspection(one, { annotated }), [move(2, 2), move(3, 2)]);
    const id = `${shared.damage_id}003`;
    const own = data.results?.vehicles?.map(({ damage_ids: all }) => all.filter((it) => id.startsWith(it)));
    expect(own).toEqual([[shared.damage_id], [id]]);
    const split = data.results?.damages.find(({ damage_id }) => damage_id === id);
    const shown = { image_url: 'c', annotated_url: 'marked/c.jpg' };
    expect(split).toMatchObject({ type: 'dent', confidence: 0.75, severity: shared.severity, ...shown });
    expect(split?.evidence.map(({ image_index }) => image_index)).toEqual([2]);
    // It can be decided on by itself, and what was said of it waits while the photo is back.
    const rejected = { decision: 'reject', damage_id: id } as const;
    expect(ids(review(one, [move(2, 2), move(3, 2), rejected]))).not.toContain(id);
    expect(review(one, [rejected]).data.results).toEqual(review(one, []).data.results);
  });

  test('a price that is agreed for one job is not in effect for two', () => {
    const line = two.data.results?.repair_lines[0]?.part ?? '';
    const price = { decision: 'price', line, cost: 1 } as const;
    expect(review(two, [price]).review.repair).toBeUndefined();
    expect(review(two, [ALL_ONE, price]).review.repair).toMatchObject([price]);
  });

  test('a damage is never of two vehicles: a merge over them is refused, as is a move that would make one', () => {
    const [into, damage_id] = ['dmg_front_fender_left_001', 'dmg_front_fender_left_002'];
    const merge = { decision: 'merge', damage_id, into } as const;
    expect(() => review(two, [merge])).toThrow(`is ${into}, on another vehicle`);
    const made = review(two, [merge, ALL_ONE]);
    expect(made.data.results?.damages.find((it) => it.damage_id === into)?.evidence).toHaveLength(3);
    expect(() => review(two, [merge, ALL_ONE, move(2, 2)])).toThrow(`is ${into}, on another vehicle`);
  });
});

test('a side that was too small in a photo is judged once a person has ticked the photo', async () => {
  const spot = { ...dent(0, 0.4), box: { x: 110, y: 65, width: 20, height: 20 } };
  const result = await inspectPhotos({ a: { parts: FAR_SIDE, detections: [spot] } }, LEFT_SIDE);
  const open = ({ data }: InspectionEnvelope) =>
    data.results?.not_assessed.flatMap(({ code, what }) => (code === 'view_incomplete' ? [what] : []));
  const ticked = review(result, [{ decision: 'nothing_more', image_index: 0 }]);
  expect([result, ticked].map(open)).toEqual([['left'], []]);
  const box = { x: 9, y: 9, width: 9, height: 9 };
  const add = { decision: 'add', image_index: 0, box, type: 'dent', part: 'hood' } as const;
  const bare = await inspectPhotos({ a: { parts: FAR_SIDE } }, LEFT_SIDE);
  const [added] = review(bare, [add]).data.results?.damages ?? [];
  expect(added?.measurements_absent, 'the inspection measures, and found nothing').toBeDefined();
});

describe.each([
  ['two vehicles', two],
  ['one vehicle', one],
])('any moves in a result of %s', (_name, of) => {
  const random = createRandom(7);
  const pick = (count: number) => Math.floor(random() * count);
  const drawMoves = (): Decision[] => [
    ...(pick(3) === 0 ? [ALL_ONE] : []),
    ...NAMES.flatMap((_, index) => (pick(2) === 0 ? [move(index, 1 + pick(4))] : [])),
  ];
  const found = [...(of.data.results?.damages ?? []), ...(of.data.results?.to_check ?? [])];
  const drawVerdicts = () =>
    found.flatMap(({ damage_id }): Decision[] => {
      const decision = (['accept', 'reject', null] as const)[pick(3)];
      return decision ? [{ decision, damage_id }] : [];
    });

  test('every photo and every finding belongs to exactly one vehicle, and no verdict changes', () => {
    for (let turn = 0; turn < 5; turn++) {
      const [moves, verdicts] = [drawMoves(), drawVerdicts()];
      const { data, review: record } = review(of, [...moves, ...verdicts]);
      const groups =
        data.vehicle_groups.length > 0 ? data.vehicle_groups.map(({ images }) => images) : [[0, 1, 2, 3, 4]];
      expect(groups.flat().toSorted()).toEqual([0, 1, 2, 3, 4]);
      expect(data.results?.vehicles?.map(({ images }) => images) ?? [groups[0]]).toEqual(groups);
      const damages = data.results?.damages ?? [];
      const findGroup = (index: number) => groups.findIndex((of) => of.includes(index));
      for (const { evidence } of damages)
        expect(new Set(evidence.map((it) => findGroup(it.image_index))).size).toBe(1);
      const listed = damages.map(({ damage_id }) => damage_id);
      const byVehicle = data.results?.vehicles?.flatMap(({ damage_ids }) => damage_ids) ?? listed;
      expect(byVehicle.toSorted()).toEqual(listed.toSorted());
      expect(record.decisions.map(({ decision, damage_id }) => ({ decision, damage_id }))).toEqual(verdicts);
      // Each sighting counts once, whatever vehicle it is on.
      const kept = [...damages, ...(data.results?.to_check ?? [])].flatMap(({ evidence }) => evidence);
      expect(kept.length).toBeLessThanOrEqual(found.flatMap(({ evidence }) => evidence).length);
    }
  });

  test('there and back is as before', () => {
    const home = (index: number) =>
      of.data.vehicle_groups.find(({ images }) => images.includes(index))?.group ?? 1;
    for (let turn = 0; turn < 3; turn++) {
      const verdicts = drawVerdicts();
      const back = NAMES.flatMap((_, index) => (pick(2) === 0 ? [move(index, home(index))] : []));
      expect(review(of, [...verdicts, ...back])).toEqual(review(of, verdicts));
    }
  });
});
