// @module-tag slow: laws over hundreds of vehicles
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tables } from '../../../src/pricing/tables/load.ts';
import { assessed, TABLES } from '../../helpers/pricing/assessments.ts';
import { body, graded, RUNS, two, vehicle } from '../../helpers/pricing/random-claims.ts';

type Damage = Record<string, unknown>;
interface Asked {
  readonly damages: readonly Damage[];
  readonly facts?: object;
  readonly associated?: string;
  readonly tables?: Tables;
}

function assess({ damages, facts = {}, associated = 'likely', tables = TABLES }: Asked) {
  const request = {
    damages: damages.map((damage, i) => ({ damage_id: `d${i}`, ...damage })),
    vehicle: facts,
    assessment_options: { associated_operations: associated },
  };
  return assessed(request, tables).data;
}

/** Every figure of an estimate that a reader may take for its price, with the range of each. */
function readEnds(asked: Asked) {
  const data = assess(asked);
  const { first_bill, as_seen, after_teardown } = data.summary.repair_cost_summary;
  return { first_bill, as_seen, after_teardown };
}
type Ends = ReturnType<typeof readEnds>;

/** Names the ends of the second that lie below those of the first. */
function findFallen(from: Ends, to: Ends): string[] {
  return (['first_bill', 'as_seen', 'after_teardown'] as const).flatMap((name) =>
    (['min', 'estimated', 'max'] as const).flatMap((end) => {
      const [before, after] = [from[name]?.[end], to[name]?.[end]];
      return before !== undefined && (after === undefined || after < before)
        ? [`${name}.${end} ${before} > ${after}`]
        : [];
    }),
  );
}

/** The shipped tables with labor that costs more, at both ends. */
const raiseRates = (tables: Tables, by: number): Tables => ({
  ...tables,
  regions: {
    ...tables.regions,
    rows: tables.regions.rows.map((row) => ({
      ...row,
      rate_per_hour: row.rate_per_hour.map((rate) => rate * by) as [number, number],
      departments: Object.fromEntries(
        Object.entries(row.departments).map(([name, range]) => [
          name,
          name === 'materials' || range === undefined ? range : range.map((rate) => rate * by),
        ]),
      ),
    })),
  },
});

const claims = fc.array(body, { minLength: 1, maxLength: 4 });
const sized = (damage: object, mm: number) => ({
  ...damage,
  measurements: { length: mm / 10, unit: 'cm' },
});

const LAWS: Readonly<Record<string, fc.Arbitrary<readonly [Asked, Asked]>>> = {
  severity: fc.tuple(claims, body, vehicle, two(100)).map(([damages, one, facts, [a, b]]) => [
    { damages: [...damages, graded(one, a)], facts },
    { damages: [...damages, graded(one, b)], facts },
  ]),
  size: fc.tuple(claims, body, vehicle, two(600)).map(([damages, one, facts, [a, b]]) => [
    { damages: [...damages, sized(one, a)], facts },
    { damages: [...damages, sized(one, b)], facts },
  ]),
  count: fc.tuple(claims, body, vehicle, two(300)).map(([damages, one, facts, [a, b]]) => [
    { damages: [...damages, { ...one, type: 'hail', count: a }], facts },
    { damages: [...damages, { ...one, type: 'hail', count: b }], facts },
  ]),
  class: fc.tuple(claims, vehicle, fc.integer({ min: 0, max: 2 })).map(([damages, facts, i]) => [
    { damages, facts: { ...facts, class: ['economy', 'standard', 'premium'][i] } },
    { damages, facts: { ...facts, class: ['standard', 'premium', 'luxury'][i] } },
  ]),
  'model year': fc
    .tuple(claims, vehicle, fc.tuple(fc.integer({ min: 1990, max: 2027 }), fc.nat({ max: 20 })))
    .map(([damages, facts, [year, later]]) => [
      { damages, facts: { ...facts, year } },
      { damages, facts: { ...facts, year: Math.min(2027, year + later) } },
    ]),
  parts: fc.tuple(claims, body, vehicle).map(([damages, one, facts]) => [
    { damages, facts },
    { damages: [...damages, one], facts },
  ]),
  rate: fc.tuple(claims, vehicle).map(([damages, facts]) => [
    { damages, facts },
    { damages, facts, tables: raiseRates(TABLES, 1.3) },
  ]),
  associated: fc.tuple(claims, vehicle).map(([damages, facts]) => [
    { damages, facts, associated: 'likely' },
    { damages, facts, associated: 'all' },
  ]),
};

/** Returns whether each part that both repair is repaired in one way. */
function keepsWays(less: Asked, more: Asked): boolean {
  const [before, after] = [less, more].map((asked) =>
    assess(asked).estimate?.repair_lines?.filter(({ kind }) => kind === 'part'),
  );
  return (before ?? []).every(({ part, action }) =>
    after?.some((row) => row.part === part && row.action === action),
  );
}

describe.each(Object.entries(LAWS))('more %s never lowers an end', { timeout: 240_000 }, (_name, pairs) => {
  it('over random vehicles', () => {
    const held = fc.property(pairs, ([less, more]) => {
      const fallen = findFallen(readEnds(less), readEnds(more));
      // The first bill decides the ways: the lines alone may fall where another way, which brings less, takes their place.
      const excused = fallen.length > 0 && !keepsWays(less, more) ? /^as_seen/ : /^$/;
      expect(fallen.filter((end) => !excused.test(end))).toEqual([]);
    });
    // The same lists each time, others with LAW_RUNS.
    fc.assert(held, { numRuns: Math.ceil(RUNS / 2), ...(process.env.LAW_RUNS ? {} : { seed: 7 }) });
  });
});

// To replace the bumper is cheaper by its lines, and more expensive with what a new one brings.
it('all that is expected never costs less than what is likely, where it changes the way of repair', () => {
  const damages = [
    { type: 'dent', location: 'front_bumper', severity_score: 4, measurements: { length: 47.7, unit: 'cm' } },
    { type: 'dent', location: 'hood' },
    { type: 'scratch', location: 'hood' },
  ];
  const bill = (associated: string) => readEnds({ damages, facts: { class: 'economy' }, associated });
  expect(findFallen(bill('likely'), bill('all'))).toEqual([]);
});

it('finds an end that falls', () => {
  const asked = { damages: [{ type: 'dent', location: 'hood', severity: 'severe' }] };
  const cheaper = readEnds({ ...asked, tables: raiseRates(TABLES, 0.5) });
  expect(findFallen(readEnds(asked), cheaper)).toHaveLength(9);
});
