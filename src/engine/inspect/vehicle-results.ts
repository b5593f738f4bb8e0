import type { Damage, InspectionResults } from '../../contract/inspection.ts';
import type { GradeBasis, VehicleGroup } from '../../contract/inspection-grounds.ts';
import type { RepairCost } from '../../contract/repair.ts';
import { roundTo } from '../../lib/numbers.ts';

export interface Findings {
  readonly damages: Damage[];
  readonly toCheck: Damage[];
}

/**
 * Grades and prices all findings; if there are several vehicles, also each by itself with the findings whose best photo
 * is one of its photos.
 */
export function gradeVehicles(
  groups: readonly VehicleGroup[],
  findings: Findings,
  grade: (own: Findings, vehicles: number, group?: VehicleGroup) => InspectionResults,
): InspectionResults {
  const vehicles = groups.map((group) => {
    const isOwn = ({ evidence: [best] }: Damage) =>
      best !== undefined && group.images.includes(best.image_index);
    const own = { damages: findings.damages.filter(isOwn), toCheck: findings.toCheck.filter(isOwn) };
    return { photos: group, results: grade(own, 1, group) };
  });
  return addVehicles(grade(findings, Math.max(1, groups.length)), vehicles);
}

/**
 * Adds each vehicle's own results: the overall grades become the worst grades, and prices become sums over the jobs.
 * Each vehicle is graded and priced separately, because its repair is a job of its own.
 */
export function addVehicles(
  whole: InspectionResults,
  vehicles: readonly {
    readonly photos: Omit<VehicleGroup, 'image_urls'>;
    readonly results: InspectionResults;
  }[],
): InspectionResults {
  const [first, ...others] = vehicles.map(({ results }) => results);
  if (first === undefined) return whole;
  const all = [first, ...others];
  const worst = all.map(readGrade).reduce(chooseWorseGrade);
  const { if_none_confirmed: none, if_all_confirmed: confirmed } = whole.grade_basis;
  const worstIf = (key: 'if_none_confirmed' | 'if_all_confirmed') =>
    all.map((one) => one.grade_basis[key] ?? readGrade(one)).reduce(chooseWorseGrade);
  const sum = (read: (results: InspectionResults) => RepairCost) =>
    others.map(read).reduce(addCosts, read(first));
  const { expected_operations: _, ...rest } = whole;
  return {
    ...rest,
    overall_condition: worst.condition,
    condition_score: worst.score,
    grade_basis: {
      ...whole.grade_basis,
      ...(none && { if_none_confirmed: worstIf('if_none_confirmed') }),
      ...(confirmed && { if_all_confirmed: worstIf('if_all_confirmed') }),
    },
    repair_cost: sum((one) => one.repair_cost),
    if_all_confirmed: sum((one) => one.if_all_confirmed),
    repair_lines: vehicles.flatMap(({ results }) => results.repair_lines),
    vehicles: vehicles.map(({ photos: { group, images, color }, results }) => {
      const { damages, to_check, ...graded } = results;
      return {
        group,
        images,
        color,
        damage_ids: damages.map(({ damage_id }) => damage_id),
        to_check_ids: to_check.map(({ damage_id }) => damage_id),
        ...graded,
      };
    }),
  };
}

type Grade = NonNullable<GradeBasis['if_all_confirmed']>;

const readGrade = ({ overall_condition, condition_score }: InspectionResults): Grade => ({
  condition: overall_condition,
  score: condition_score,
});

const chooseWorseGrade = (a: Grade, b: Grade) => (b.score < a.score ? b : a);

type Ends = Pick<RepairCost, 'min' | 'estimated' | 'max' | 'currency'>;

function addCosts(one: RepairCost, other: RepairCost): RepairCost {
  // Amounts have at most two decimals; their sum is rounded to keep it so.
  const add = (a: number, b: number) => roundTo(a + b, 2);
  const addEnds = (a: Ends, b: Ends): Ends => ({
    min: add(a.min, b.min),
    estimated: add(a.estimated, b.estimated),
    max: add(a.max, b.max),
    currency: a.currency,
  });
  const afterTeardown = ({ after_teardown: after, first_bill: bill }: RepairCost) => after ?? bill;
  return {
    ...one,
    ...addEnds(one, other),
    first_bill: addEnds(one.first_bill, other.first_bill),
    as_seen: addEnds(one.as_seen, other.as_seen),
    ...((one.after_teardown || other.after_teardown) && {
      after_teardown: addEnds(afterTeardown(one), afterTeardown(other)),
    }),
    items: one.items + other.items,
  };
}
