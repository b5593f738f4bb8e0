import { expect, it } from 'vitest';
import { assessed, expectedOf, TABLES } from '../../../helpers/pricing/assessments.ts';

const crack = (location: string) => ({ damage_id: location, type: 'crack', location, severity: 'severe' });
const broken = (part: string, severity: string) => ({ ...crack(part), type: 'panel_damage', severity });
const lost = (location: string) => ({ ...broken(location, 'severe'), subtype: 'missing_part' });
function result(damages: readonly object[], associated_operations?: string) {
  const { data } = assessed({ damages, assessment_options: { associated_operations } });
  const costs = data.summary.repair_cost_summary;
  return { lines: expectedOf({ data }), costs, total: costs.adjusted_total };
}

it('off: none; likely: listed next to the total; all: in the total', () => {
  const of = (mode: string) => result([crack('front_bumper')], mode);
  const [off, likely, all] = [of('off'), of('likely'), of('all')];
  const sum = (lines: typeof off.lines) => lines.reduce((total, line) => total + line.amount, 0);
  const materials = ({ costs }: typeof off) =>
    costs.departments.find(({ department }) => department === 'materials')?.total ?? 0;
  expect(off.lines).toEqual([]);
  expect(likely.total).toEqual(off.total);
  expect(all.total.estimated).toBeCloseTo(
    off.total.estimated + sum(all.lines) + materials(all) - materials(off),
    6,
  );
  expect(all.lines.map((line) => line.part)).toEqual(likely.lines.map((line) => line.part));
  expect(likely.lines.some((line) => (line.share_of_jobs ?? 1) < 0.5)).toBe(true);
  expect(off.costs.first_bill).toEqual(off.total);
  expect(all.costs.first_bill).toEqual(all.total);
});

it('a new rear cover as a shop would write it: every operation by its share of jobs', () => {
  const { costs } = result([crack('rear_bumper')]);
  // Body 115 USD an hour, refinish with materials 168.50. The cover: 2.0 h, 594.00, 4.2 h of refinish.
  expect(costs.adjusted_total.estimated).toBe(1531.7);
  // By their shares: bar 351.00 x 38 %, absorber 77.00 x 23 %, calibration 365.00 x 19 %, sensors 244.50 x 17 %, priming
  // 115.00 x 31 %, cleaning 230.00 x 10 %, airbag check 57.50 x 14 %: 328.71; shields 300.00 x 38 %, radar 976.50 x
  // 15 %: 260.48. Brackets 66.00 x 54 %, two lamps 46.00 x
  // 53 %, clips 25.00 x 90 %, preparation 117.95 x 70 %, flex 12.00 x 69 %, tint 84.25 x 94 %, wrapping 58.00 x 91 %,
  // sanding 172.50 x 69 %, waste 5.00 x 90 %, battery 23.00 x 55 %, scans 125.00 x 91 % and 87 %: 688.41.
  expect(costs.expected_total).toBeCloseTo(1531.7 + 328.71 + 260.48 + 688.41, 1);
  // A cover that cracked alone counts none of it.
  expect(costs.first_bill?.estimated).toBe(1531.7);
  expect(result([crack('rear_bumper')], 'off').costs).not.toHaveProperty('expected_total');
  expect(result([crack('rear_bumper')], 'all').costs).not.toHaveProperty('expected_total');
});

// 0.3 h x 115 + 24.00 = 58.50, on 81 % of such jobs: 47.39 (47.385), whole with a dented hood behind it.
it.each([
  ['by their share and the weight of the hit', [], 47.39],
  ['accepted, at their whole price', [{ line: 101, action: 'accept' }], 58.5],
  ['removed, not at all', [{ line: 101, action: 'remove' }], 0],
])('the first bill holds brackets %s', (_, line_edits, held) => {
  const rows = TABLES.associated.rows.filter((row) => row.part === 'front_bumper_brackets');
  const tables = { ...TABLES, associated: { ...TABLES.associated, rows } };
  const damages = [crack('front_bumper'), { ...crack('hood'), type: 'dent' }];
  const bill = (mode: string, edits: readonly object[]) =>
    assessed({ damages, line_edits: edits, assessment_options: { associated_operations: mode } }, tables).data
      .summary.repair_cost_summary.first_bill.estimated;
  expect(bill('likely', line_edits) - bill('off', [])).toBeCloseTo(held, 2);
});

// Half of one shop's estimates: 6 of 14 with a damaged hood or fender, none of 5 without.
it.each([
  ['front_bumper', 'hood', ['radiator_support', 'condenser', 'radiator', 'frame_set_up_and_pull']],
  ['rear_bumper', 'trunk_lid', ['rear_body_panel', 'frame_set_up_and_pull', 'rear_inner_panels_and_floor']],
])('what lies deep behind a new %s comes with a damaged %s: %j', (cover, other, deep) => {
  const listDeep = (other: string) => {
    const { lines } = result([crack(cover), { ...crack(other), type: 'dent' }], 'all');
    return new Set(lines.map(({ part }) => part).filter((part) => deep.includes(part)));
  };
  expect([listDeep(other), listDeep('rear_door_left')]).toEqual([new Set(deep), new Set()]);
});

it('a bumper that is only polished is still taken off for the fender', () => {
  const fender = { ...crack('front_fender_left'), type: 'dent', severity: 'severe' };
  const polished = { ...crack('front_bumper'), type: 'scratch', severity: 'minor', severity_score: 0.5 };
  for (const damages of [[fender], [fender, polished]])
    expect(result(damages).lines).toContainEqual(
      expect.objectContaining({ operation: 'R&I', part: 'front_bumper', because_of: 'front_fender_left' }),
    );
});

it('a dent pushed out on a door brings nothing', () => {
  const dent = { damage_id: 'd', type: 'dent', location: 'front_door_left', severity: 'minor' };
  expect(result([dent], 'all').lines).toEqual([]);
});

const dented = { ...crack('front_fender_right'), type: 'dent' };
const fenders = ['front_fender_left', 'front_fender_right'].map((part) => broken(part, 'critical'));
const fiveLost = [
  'front_bumper',
  'front_fender_left',
  'front_fender_right',
  'quarter_panel_left',
  'hood',
].map(lost);
it.each<readonly [name: string, damages: readonly object[], partOrOperation: string, wanted: object[]]>([
  [
    'a new liner on the left leaves that on the right to be taken off',
    [lost('front_fender_left'), dented],
    'fender_liner',
    [
      { operation: 'R&R', because_of: 'front_fender_left' },
      { operation: 'R&I', because_of: 'front_fender_right' },
    ],
  ],
  [
    'a scratched hood says nothing of what lies behind a new cover',
    [crack('front_bumper'), { ...crack('hood'), type: 'scratch', severity: 'minor' }],
    'radiator_support',
    [],
  ],
  ['wheels are aligned once, whatever asks for it', fiveLost, 'wheel_alignment', [{}]],
  ['the frame is set up once', fiveLost, 'frame_set_up_and_pull', [{}]],
  ['what may be replaced is not taken off too', [crack('front_bumper')], 'grille', [{ operation: 'R&R' }]],
  ['a new quarter panel is measured on the bench once', [lost('quarter_panel_left')], 'Setup', [{}]],
  [
    'where structural work is named, it is measured with that',
    [{ ...broken('quarter_panel_left', 'critical'), type: 'frame_damage' }],
    'Setup',
    [],
  ],
  ['a bumper is taken off once', fenders, 'front_bumper', [{}]],
  ['what is replaced anyway is not taken off', [...fenders, crack('front_bumper')], 'front_bumper', []],
  [
    'of several panels that ask for one set-up, the likeliest does, wherever its row stands',
    [lost('quarter_panel_left'), lost('hood'), crack('front_bumper')],
    'Setup',
    [{ because_of: 'quarter_panel_left', share_of_jobs: 0.65 }],
  ],
])('%s', (_, damages, partOrOperation, wanted) => {
  const { lines } = result(damages, 'all');
  expect(lines.filter((line) => [line.part, line.operation].includes(partOrOperation))).toMatchObject(wanted);
});
