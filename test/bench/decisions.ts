/**
 * Checks that each panel has one decision and one price. Prints the contradictions between row, chosen option and job
 * of 216 single damages (9 parts x 6 types x 4 severities), and the violations of the laws of a job on random lists of
 * damages in every shipped region: a row costs what its chosen option does, a more severe damage never costs less, a
 * further damage never makes the job cheaper. Run with `npx tsx test/bench/decisions.ts [lists] [off|likely|all]`, by default
 * 1,000 lists with what is likely.
 */
import fc from 'fast-check';
import { DAMAGE_TYPES, SEVERITIES } from '../../src/domain/damage.ts';
import { PART_NAMES } from '../../src/domain/parts.ts';
import { assessed, TABLES } from '../helpers/pricing/assessments.ts';
import { NEIGHBORS } from '../helpers/pricing/random-claims.ts';

type Assessment = ReturnType<typeof assessed>;
type Damage = { damage_id: string; type: string; location: string; severity: string };

const assess = (damages: readonly Damage[], region: string): Assessment =>
  assessed({
    damages,
    assessment_options: {
      labor_rate_region: region,
      currency: 'USD',
      associated_operations: process.argv[3] ?? 'likely',
    },
  });

/** Amount in cents. */
const cents = (amount: number) => Math.round(amount * 100);

function sumJob({ data }: Assessment): number {
  const { adjusted_total, first_bill: bill = adjusted_total } = data.summary.repair_cost_summary;
  return cents(bill.estimated);
}

/** Returns the rows of parts whose cost is not that of the chosen options of their damages. */
function findContradictions({ data }: Assessment): readonly string[] {
  return data.estimate.repair_lines
    .filter((row) => row.kind === 'part')
    .flatMap((row) => {
      const own = data.assessed_damages.filter((one) => row.damage_ids.includes(one.damage_id));
      const options = new Set(
        own.map((one) => `${one.recommended_repair.option} ${one.recommended_repair.estimated_cost}`),
      );
      const chosen = [...options].reduce((sum, one) => sum + cents(Number(one.split(' ')[1])), 0);
      return Math.abs(cents(row.cost) - chosen) > 100
        ? [
            `${row.part}: row ${row.cost} (${row.action}), chosen ${chosen / 100} (${[...options].join('; ')})`,
          ]
        : [];
    });
}

const NINE = [
  'hood',
  'front_bumper',
  'front_fender_left',
  'front_door_left',
  'quarter_panel_left',
  'trunk_lid',
  'rear_bumper',
  'roof',
  'windshield',
];
const SIX = DAMAGE_TYPES.filter((type) => type !== 'glass_damage').slice(0, 6);
const singles = NINE.flatMap((location) =>
  SIX.flatMap((type) => SEVERITIES.map((severity) => ({ damage_id: 'd1', type, location, severity }))),
);
const out = (text: string) => process.stdout.write(`${text}\n`);
const contradicting = singles.flatMap((one) =>
  findContradictions(assess([one], 'US_MIDWEST')).map((text) => `${one.type} ${one.severity} ${text}`),
);
out(`single damages: ${contradicting.length} of ${singles.length} contradict`);
for (const text of contradicting) out(`  ${text}`);

const drawn = fc.record({
  type: fc.constantFrom(...DAMAGE_TYPES),
  location: fc.oneof(
    fc.constantFrom(...NEIGHBORS, 'rear_bumper', 'trunk_lid'),
    fc.constantFrom(...PART_NAMES),
  ),
  severity: fc.constantFrom(...SEVERITIES),
});
/** A list, the place of a damage that becomes worse, and a further one; the same in each run. */
const draws = fc.tuple(fc.array(drawn, { minLength: 1, maxLength: 5 }), fc.nat({ max: 4 }), drawn);

const lists = Number(process.argv[2] ?? 1000);
for (const { code } of TABLES.regions.rows) {
  const found = { row: 0, severity: 0, further: 0 };
  let worst = { text: '', share: 0 };
  const fall = (law: 'severity' | 'further', before: number, after: number, text: () => string) => {
    if (after >= before) return;
    found[law] += 1;
    if (1 - after / before > worst.share)
      worst = { text: `${text()}: ${before} → ${after}`, share: 1 - after / before };
  };
  for (const [all, place, further] of fc.sample(draws, { numRuns: lists, seed: 20_261_129 })) {
    const list = all.map((one, i): Damage => ({ damage_id: `d${i}`, ...one }));
    const job = assess(list, code);
    found.row += findContradictions(job).length;
    const at = place % list.length;
    const raised = list.map((one, n) => {
      const tier = SEVERITIES.indexOf(one.severity as (typeof SEVERITIES)[number]);
      return n === at ? { ...one, severity: SEVERITIES[Math.min(3, tier + 1)] ?? one.severity } : one;
    });
    const words = (of: readonly Damage[]) =>
      of.map((one) => `${one.location}:${one.type}:${one.severity}`).join(' ');
    fall('severity', sumJob(job), sumJob(assess(raised, code)), () => `${words(list)} | worse ${at}`);
    const more = [...list, { damage_id: 'more', ...further }];
    fall('further', sumJob(job), sumJob(assess(more, code)), () => words(more));
  }
  out(
    `${code}: of ${lists} lists, row ${found.row}, severity ${found.severity}, further damage ${found.further}`,
  );
  if (worst.text !== '') out(`  worst ${(worst.share * 100).toFixed(1)} %: ${worst.text}`);
}
