import type { PricingContext } from '../../pricing-context.ts';
import { isSurface } from '../damage.ts';
import { listSublets } from '../equipment.ts';
import { countTenths } from '../refinish.ts';
import type { Line, Plan, Reason } from '../repair-plan.ts';
import type { Target } from '../target.ts';
import {
  choosePart,
  isGlass,
  type Job,
  listBlends,
  makeConsumable,
  makeLine,
  makeRepairPlan,
  type PartSource,
} from './make-plan.ts';
import { needsStructuralWork } from './painted.ts';

function nameReplacement(target: Target): string {
  if (target.component !== undefined) return 'component_replacement';
  if (isGlass(target)) return 'glass_replacement';
  if (target.facts.kind === 'lamp') return 'lamp_replacement';
  if (target.facts.kind === 'mechanical') return 'mechanical_replacement';
  return target.name.endsWith('bumper') ? 'bumper_replacement' : 'panel_replacement';
}

/** Creates the labor lines for a new part: R&R or sectioning, plus aiming or alignment if the table has a time. */
function listFittingLines(target: Target, isSection: boolean, ctx: PricingContext): Line[] {
  const { kind, replace_hours, section_hours, aim_hours } = target.facts;
  const level = isGlass(target) ? (ctx.region.price_level?.glass_hours ?? 1) : 1;
  const line = (operation: Line['operation'], hours: number, note: string) =>
    makeLine(target, { operation, hoursTenths: countTenths(hours * level), basis: 'table', note });
  return [
    isSection ? line('Sect', section_hours, 'section at the window') : line('R&R', replace_hours, 'replace'),
    ...(aim_hours > 0 ? [line('Algn', aim_hours, kind === 'lamp' ? 'aim' : 'alignment')] : []),
  ];
}

interface NewPart {
  readonly option: string;
  readonly source: PartSource;
  readonly isSection?: boolean;
  readonly inadequate?: Reason | undefined;
}

function planNewPart(
  { target, ctx }: Job,
  { option, source, isSection = false, inadequate }: NewPart,
): Plan[] {
  const part = choosePart(source, target);
  if (part === undefined) return [];
  const base = countTenths(target.facts.refinish_new_hours);
  return [
    makeRepairPlan(option, 'replacement', {
      role: source === 'oem' ? 'replacement' : 'alternative_part',
      lines: listFittingLines(target, isSection, ctx),
      refinish: base > 0 ? [{ part: target.name, baseTenths: base }] : [],
      blends: base > 0 ? listBlends(target, ctx) : [],
      parts: [
        part,
        ...(isGlass(target) ? [makeConsumable(ctx.tables.operations.glass_replacement, ctx)] : []),
        ...listSublets(target.name, ctx),
      ],
      inadequate,
      trace: [{ rule: `option.${option}`, inputs: { part: target.name, source } }],
    }),
  ];
}

/** Returns why a new part is inadequate; undefined if it is adequate. */
function findReason(job: Job): Reason | undefined {
  const { damages, target, isMissing } = job;
  if (needsStructuralWork(job)) return 'structure_affected';
  const isMetal = target.facts.kind === 'painted' && target.material !== 'plastic';
  return isMetal && !isMissing && damages.every(isSurface) ? 'surface_only' : undefined;
}

/** Returns why sectioning is inadequate where a new part is adequate. */
function findSectionReason({ ctx, worstScore, isMissing }: Job): Reason | undefined {
  if (isMissing) return 'part_missing';
  return worstScore >= ctx.tables.operations.structural.from_score ? 'beyond_section' : undefined;
}

/** Lists the replacement plans of a part: OEM, aftermarket, recycled, and sectioning for a panel with section hours. */
export function listReplacementPlans(job: Job): Plan[] {
  const { target } = job;
  const option = nameReplacement(target);
  const inadequate = findReason(job);
  const plan = (name: string, source: PartSource) => planNewPart(job, { option: name, source, inadequate });
  return [
    ...(target.facts.section_hours > 0
      ? planNewPart(job, {
          option: 'section_replacement',
          source: 'oem',
          isSection: true,
          inadequate: inadequate ?? findSectionReason(job),
        })
      : []),
    ...plan(option, 'oem'),
    ...plan(`${option}_aftermarket`, 'aftermarket'),
    ...plan(`${option}_recycled`, 'recycled'),
  ];
}

/** Lists the structural plans: set up, measure, pull and fit a new panel; empty unless the structure is affected. */
export function listStructuralPlans(job: Job): Plan[] {
  if (!needsStructuralWork(job)) return [];
  const { target, ctx, worstScore } = job;
  const { setup_hours, pull_hours, pull_per_point_squared, pull_above_score } =
    ctx.tables.operations.structural;
  const pull = pull_hours + pull_per_point_squared * Math.max(0, worstScore - pull_above_score) ** 2;
  const line = (operation: 'Setup' | 'Pull', hours: number, note: string): Line =>
    makeLine(target, { operation, department: 'structural', hoursTenths: countTenths(hours), note });
  return planNewPart(job, { option: 'structural_repair', source: 'oem' }).map((panel) => ({
    ...panel,
    repairType: 'structural',
    role: 'repair',
    lines: [
      { ...line('Setup', setup_hours, 'set up on the bench and measure'), basis: 'table' },
      line('Pull', pull, `${pull_hours} + ${pull_per_point_squared} x (score - ${pull_above_score})²`),
      ...panel.lines,
    ],
    trace: [{ rule: 'option.structural_repair', inputs: { part: target.name, highest_score: worstScore } }],
  }));
}
