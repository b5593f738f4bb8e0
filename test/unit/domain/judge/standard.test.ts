import { describe, expect, test } from 'vitest';
import type { DamageSubtype, DamageType } from '../../../../src/domain/damage.ts';
import {
  type DamageToJudge,
  judgeByStandard,
  type Verdict,
  type VerdictReason,
} from '../../../../src/domain/judge/standard.ts';
import type { PartName } from '../../../../src/domain/parts.ts';
import { findStandard } from '../../../../src/standards/standards.ts';

/**
 * Cases worked by hand: type, part, longest extent and half of its interval (cm; null: unknown), scale of the photo (cm
 * per pixel; null: unknown), what else there is, how many of the same are on the panel, and what follows.
 */
type Case = readonly [
  type: DamageType,
  part: PartName,
  cm: number | null,
  errorCm: number,
  cmPerPixel: number | null,
  more: { also?: readonly DamageType[]; subtype?: DamageSubtype },
  onPanel: number,
  verdict: Verdict,
  reason: VerdictReason,
];

const WHEEL = { subtype: 'wheel_damage' } as const;
const TRIM = { subtype: 'trim_damage' } as const;
const CLOSE = 0.02;

const BVRLA: readonly Case[] = [
  // Dents: 15 mm, two a panel, paint unbroken, none on the roof.
  ['dent', 'hood', 1, 0.2, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['dent', 'hood', 1, 0.2, CLOSE, {}, 2, 'fair_wear', 'within'],
  ['dent', 'hood', 1, 0.2, CLOSE, {}, 3, 'chargeable', 'too_many'],
  ['dent', 'hood', 1.3, 0.2, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['dent', 'hood', 1.3, 0.3, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['dent', 'hood', 1.5, 0, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['dent', 'hood', 1.5, 0.1, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['dent', 'hood', 1.6, 0, CLOSE, {}, 1, 'chargeable', 'too_large'],
  ['dent', 'hood', 1.8, 0.2, CLOSE, {}, 1, 'chargeable', 'too_large'],
  ['dent', 'hood', 1.7, 0.2, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['dent', 'hood', 1.7, 0.2, CLOSE, {}, 3, 'cannot_tell', 'interval_over_limit'],
  ['dent', 'hood', 20, 6, 0.3, {}, 1, 'chargeable', 'too_large'],
  ['dent', 'hood', 20, 6, null, {}, 1, 'chargeable', 'too_large'],
  ['dent', 'hood', 1, 0.2, null, {}, 1, 'fair_wear', 'within'],
  ['dent', 'hood', 1, 0.2, 0.3, {}, 1, 'cannot_tell', 'too_few_pixels'],
  ['dent', 'hood', 1, 0.2, 0.11, {}, 1, 'cannot_tell', 'too_few_pixels'],
  ['dent', 'hood', 1, 0.2, 0.1, {}, 1, 'fair_wear', 'within'],
  ['dent', 'hood', null, 0, null, {}, 1, 'cannot_tell', 'size_unknown'],
  ['dent', 'hood', null, 0, 0.3, {}, 1, 'cannot_tell', 'size_unknown'],
  ['dent', 'roof', 1, 0.2, CLOSE, {}, 1, 'chargeable', 'not_on_part'],
  ['dent', 'roof', null, 0, null, {}, 1, 'chargeable', 'not_on_part'],
  ['dent', 'front_door_left', 1, 0.2, CLOSE, { also: ['scratch'] }, 1, 'chargeable', 'paint_broken'],
  ['dent', 'front_door_left', 1, 0.2, CLOSE, { also: ['rust'] }, 1, 'chargeable', 'paint_broken'],
  ['dent', 'front_door_left', 1, 0.2, CLOSE, { also: ['glass_damage'] }, 1, 'fair_wear', 'within'],
  ['dent', 'trunk_lid', 0.5, 0.1, CLOSE, {}, 2, 'fair_wear', 'within'],
  ['dent', 'rear_bumper', 1, 0.2, CLOSE, {}, 4, 'chargeable', 'too_many'],
  // Scratches: 25 mm, four a panel.
  ['scratch', 'front_door_left', 2, 0.4, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['scratch', 'front_door_left', 2, 0.5, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['scratch', 'front_door_left', 2, 0.6, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['scratch', 'front_door_left', 2, 0.4, CLOSE, {}, 4, 'fair_wear', 'within'],
  ['scratch', 'front_door_left', 2, 0.4, CLOSE, {}, 5, 'chargeable', 'too_many'],
  ['scratch', 'front_door_left', 3, 0.4, CLOSE, {}, 1, 'chargeable', 'too_large'],
  ['scratch', 'front_door_left', 3, 0.5, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['scratch', 'front_door_left', 65, 20, 0.3, {}, 1, 'chargeable', 'too_large'],
  ['scratch', 'roof', 2, 0.4, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['scratch', 'hood', 2, 0.4, 0.2, {}, 1, 'cannot_tell', 'too_few_pixels'],
  ['scratch', 'hood', 2, 0.4, 0.16, {}, 1, 'fair_wear', 'within'],
  ['scratch', 'hood', null, 0, 0.1, {}, 1, 'cannot_tell', 'size_unknown'],
  ['scratch', 'hood', 2, 0.4, CLOSE, { also: ['paint_damage'] }, 1, 'fair_wear', 'within'],
  // Chips: 3 mm, four a panel, six where all lie along the edge of a door, eight on a forward one.
  ['paint_damage', 'front_door_left', 0.2, 0.05, CLOSE, {}, 4, 'fair_wear', 'within'],
  ['paint_damage', 'front_door_left', 0.2, 0.05, CLOSE, {}, 5, 'cannot_tell', 'edge_open'],
  ['paint_damage', 'rear_door_right', 0.2, 0.05, CLOSE, {}, 6, 'cannot_tell', 'edge_open'],
  ['paint_damage', 'front_door_left', 0.2, 0.05, CLOSE, {}, 7, 'chargeable', 'too_many'],
  ['paint_damage', 'quarter_panel_left', 0.2, 0.05, CLOSE, {}, 5, 'chargeable', 'too_many'],
  ['paint_damage', 'hood', 0.2, 0.05, CLOSE, {}, 5, 'fair_wear', 'within'],
  ['paint_damage', 'hood', 0.2, 0.05, CLOSE, {}, 8, 'fair_wear', 'within'],
  ['paint_damage', 'hood', 0.2, 0.05, CLOSE, {}, 9, 'chargeable', 'too_many'],
  ['paint_damage', 'front_bumper', 0.3, 0, CLOSE, {}, 8, 'fair_wear', 'within'],
  ['paint_damage', 'front_fender_right', 0.25, 0.1, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['paint_damage', 'roof', 0.5, 0.1, CLOSE, {}, 1, 'chargeable', 'too_large'],
  ['paint_damage', 'roof', 0.2, 0.05, 0.03, {}, 1, 'cannot_tell', 'too_few_pixels'],
  ['paint_damage', 'roof', 6, 2, 0.3, {}, 1, 'chargeable', 'too_large'],
  ['paint_damage', 'roof', null, 0, null, {}, 1, 'cannot_tell', 'size_unknown'],
  // Mouldings 25 mm, wheels 50 mm; rust and what is broken never.
  ['scratch', 'front_bumper', 2, 0.5, CLOSE, TRIM, 6, 'fair_wear', 'within'],
  ['dent', 'front_bumper', 3, 0.4, CLOSE, TRIM, 1, 'chargeable', 'too_large'],
  ['scratch', 'front_bumper', 4, 1, CLOSE, WHEEL, 1, 'fair_wear', 'within'],
  ['scratch', 'front_bumper', 4, 1.1, CLOSE, WHEEL, 1, 'cannot_tell', 'interval_over_limit'],
  ['paint_damage', 'front_bumper', 7, 1, CLOSE, WHEEL, 1, 'chargeable', 'too_large'],
  ['dent', 'front_bumper', 1, 0.2, CLOSE, WHEEL, 1, 'cannot_tell', 'no_row'],
  ['rust', 'hood', 0.1, 0, CLOSE, {}, 1, 'chargeable', 'never_fair'],
  ['rust', 'quarter_panel_left', null, 0, null, {}, 1, 'chargeable', 'never_fair'],
  ['crack', 'rear_bumper', 2, 0.4, CLOSE, {}, 1, 'chargeable', 'never_fair'],
  ['glass_damage', 'windshield', 1, 0.2, 0.3, {}, 1, 'chargeable', 'never_fair'],
  ['panel_damage', 'front_fender_right', null, 0, null, {}, 1, 'chargeable', 'never_fair'],
];

const RENTAL: readonly Case[] = [
  // Dents: 30 mm, two a panel, paint unbroken, none on the roof.
  ['dent', 'hood', 2, 0.5, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['dent', 'hood', 2, 0.5, CLOSE, {}, 2, 'fair_wear', 'within'],
  ['dent', 'hood', 2, 0.5, CLOSE, {}, 3, 'chargeable', 'too_many'],
  ['dent', 'hood', 2.5, 0.5, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['dent', 'hood', 2.5, 0.6, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['dent', 'hood', 3, 0, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['dent', 'hood', 3, 0.1, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['dent', 'hood', 3.1, 0, CLOSE, {}, 1, 'chargeable', 'too_large'],
  ['dent', 'hood', 3.6, 0.5, CLOSE, {}, 1, 'chargeable', 'too_large'],
  ['dent', 'hood', 3.4, 0.5, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['dent', 'hood', 3.4, 0.5, CLOSE, {}, 3, 'cannot_tell', 'interval_over_limit'],
  ['dent', 'hood', 65, 20, 0.3, {}, 1, 'chargeable', 'too_large'],
  ['dent', 'hood', 65, 20, null, {}, 1, 'chargeable', 'too_large'],
  ['dent', 'hood', 2, 0.5, null, {}, 1, 'fair_wear', 'within'],
  ['dent', 'hood', 2, 0.5, 0.3, {}, 1, 'cannot_tell', 'too_few_pixels'],
  ['dent', 'hood', 2, 0.5, 0.21, {}, 1, 'cannot_tell', 'too_few_pixels'],
  ['dent', 'hood', 2, 0.5, 0.2, {}, 1, 'fair_wear', 'within'],
  ['dent', 'hood', null, 0, null, {}, 1, 'cannot_tell', 'size_unknown'],
  ['dent', 'hood', null, 0, 0.1, {}, 1, 'cannot_tell', 'size_unknown'],
  ['dent', 'roof', 1, 0.2, CLOSE, {}, 1, 'chargeable', 'not_on_part'],
  ['dent', 'roof', null, 0, null, {}, 1, 'chargeable', 'not_on_part'],
  ['dent', 'rear_door_right', 2, 0.5, CLOSE, { also: ['scratch'] }, 1, 'chargeable', 'paint_broken'],
  ['dent', 'rear_door_right', 2, 0.5, CLOSE, { also: ['paint_damage'] }, 1, 'chargeable', 'paint_broken'],
  ['dent', 'rear_door_right', 2, 0.5, CLOSE, { also: ['dent'] }, 1, 'fair_wear', 'within'],
  ['dent', 'trunk_lid', 1, 0.2, CLOSE, {}, 2, 'fair_wear', 'within'],
  ['dent', 'rear_bumper', 1, 0.2, CLOSE, {}, 5, 'chargeable', 'too_many'],
  // Scratches: 50 mm, four a panel.
  ['scratch', 'front_door_left', 4, 0.8, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['scratch', 'front_door_left', 4, 1, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['scratch', 'front_door_left', 4, 1.1, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['scratch', 'front_door_left', 4, 0.8, CLOSE, {}, 4, 'fair_wear', 'within'],
  ['scratch', 'front_door_left', 4, 0.8, CLOSE, {}, 5, 'chargeable', 'too_many'],
  ['scratch', 'front_door_left', 6, 0.9, CLOSE, {}, 1, 'chargeable', 'too_large'],
  ['scratch', 'front_door_left', 6, 1, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['scratch', 'front_door_left', 80, 24, 0.3, {}, 1, 'chargeable', 'too_large'],
  ['scratch', 'roof', 4, 0.8, CLOSE, {}, 1, 'fair_wear', 'within'],
  ['scratch', 'hood', 4, 0.8, 0.4, {}, 1, 'cannot_tell', 'too_few_pixels'],
  ['scratch', 'hood', 4, 0.8, 0.3, {}, 1, 'fair_wear', 'within'],
  ['scratch', 'hood', null, 0, 0.1, {}, 1, 'cannot_tell', 'size_unknown'],
  ['scratch', 'hood', 4, 0.8, CLOSE, { also: ['paint_damage'] }, 1, 'fair_wear', 'within'],
  // Chips: 6 mm, six a panel, ten on a forward one.
  ['paint_damage', 'front_door_left', 0.5, 0.1, CLOSE, {}, 6, 'fair_wear', 'within'],
  ['paint_damage', 'front_door_left', 0.5, 0.1, CLOSE, {}, 7, 'chargeable', 'too_many'],
  ['paint_damage', 'hood', 0.5, 0.1, CLOSE, {}, 7, 'fair_wear', 'within'],
  ['paint_damage', 'hood', 0.5, 0.1, CLOSE, {}, 10, 'fair_wear', 'within'],
  ['paint_damage', 'hood', 0.5, 0.1, CLOSE, {}, 11, 'chargeable', 'too_many'],
  ['paint_damage', 'front_bumper', 0.6, 0, CLOSE, {}, 10, 'fair_wear', 'within'],
  ['paint_damage', 'front_fender_right', 0.55, 0.1, CLOSE, {}, 1, 'cannot_tell', 'interval_over_limit'],
  ['paint_damage', 'roof', 0.9, 0.2, CLOSE, {}, 1, 'chargeable', 'too_large'],
  ['paint_damage', 'roof', 0.5, 0.1, 0.05, {}, 1, 'cannot_tell', 'too_few_pixels'],
  ['paint_damage', 'roof', 6, 2, 0.3, {}, 1, 'chargeable', 'too_large'],
  ['paint_damage', 'roof', null, 0, null, {}, 1, 'cannot_tell', 'size_unknown'],
  // Mouldings 50 mm, wheels 80 mm; rust and what is broken never.
  ['scratch', 'front_bumper', 4, 1, CLOSE, TRIM, 6, 'fair_wear', 'within'],
  ['dent', 'front_bumper', 6, 0.9, CLOSE, TRIM, 1, 'chargeable', 'too_large'],
  ['scratch', 'front_bumper', 7, 1, CLOSE, WHEEL, 1, 'fair_wear', 'within'],
  ['scratch', 'front_bumper', 7, 1.1, CLOSE, WHEEL, 1, 'cannot_tell', 'interval_over_limit'],
  ['paint_damage', 'front_bumper', 10, 1, CLOSE, WHEEL, 1, 'chargeable', 'too_large'],
  ['rust', 'hood', 0.1, 0, CLOSE, {}, 1, 'chargeable', 'never_fair'],
  ['crack', 'rear_bumper', 2, 0.4, CLOSE, {}, 1, 'chargeable', 'never_fair'],
  ['glass_damage', 'windshield', 1, 0.2, 0.3, {}, 1, 'chargeable', 'never_fair'],
  ['panel_damage', 'front_fender_right', null, 0, null, {}, 1, 'chargeable', 'never_fair'],
];

const damage = (id: string, over: Partial<DamageToJudge>): DamageToJudge => ({
  id,
  type: 'dent',
  also: [],
  part: 'hood',
  size: { cm: 1, errorCm: 0.2 },
  cmPerPixel: CLOSE,
  ...over,
});

function read(name: string) {
  const standard = findStandard(name);
  if (!standard) throw new Error(`no standard ${name}`);
  return standard;
}

test('there are 120 cases', () => {
  expect(BVRLA.length + RENTAL.length).toBeGreaterThanOrEqual(120);
});

describe.each([
  ['bvrla-cars', BVRLA],
  ['rental-desk', RENTAL],
] as const)('%s', (name, cases) => {
  test.each(cases)(
    '%s on %s, %s ±%s cm at %s cm per pixel, %j, %i on the panel: %s',
    (type, part, cm, errorCm, cmPerPixel, more, onPanel, verdict, reason) => {
      const size = cm === null ? null : { cm, errorCm };
      const panel = Array.from({ length: onPanel }, (_, at) =>
        damage(String(at), { type, part, size, cmPerPixel, also: [], ...more }),
      );
      const elsewhere = damage('other', { type, size, part: 'quarter_panel_right' });
      const judged = judgeByStandard([...panel, elsewhere], read(name));
      for (const { id } of panel) expect(judged.get(id)).toMatchObject({ verdict, reason });
    },
  );
});

test('a count is open while the size of others on the panel is', () => {
  const open = damage('open', { size: { cm: 1.5, errorCm: 0.4 } });
  const fair = [damage('a', {}), damage('b', {})];
  const judged = judgeByStandard([...fair, open], read('bvrla-cars'));
  expect(judged.get('a')).toMatchObject({ verdict: 'cannot_tell', reason: 'count_open' });
  const large = damage('large', { size: { cm: 9, errorCm: 1 } });
  expect(judgeByStandard([...fair, large], read('bvrla-cars')).get('a')?.verdict).toBe('fair_wear');
});

test.each(['bvrla-cars', 'rental-desk'])('every row of %s has a source and a day', (name) => {
  for (const { source, date } of read(name).rows) {
    expect(source.length).toBeGreaterThan(10);
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
});
