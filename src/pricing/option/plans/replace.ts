import type { PricingContext } from '../../pricing-context.ts';
import { isSurface, type PricingDamage } from '../damage.ts';
import { listSublets } from '../equipment.ts';
import { countTenths } from '../refinish.ts';
import type { Line, Plan, Reason } from '../repair-plan.ts';
import type { Target } from '../target.ts';
import { needsStructuralWork } from './painted.ts';
import { choosePart, listBlends, makeConsumable, makeRepairPlan } from './parts.ts';

function nameTarget(target: Target): string {
  if (target.component !== undefined) return 'component_replacement';
  if (isGlass(target)) return 'glass_replacement';
  if (target.facts.kind === 'lamp') return 'lamp_replacement';
  if (target.facts.kind === 'mechanical') return 'mechanical_replacement';
  return target.name.endsWith('bumper') ? 'bumper_replacement' : 'panel_replacement';
}

const isGlass = ({ facts }: Target) => facts.kind === 'laminated_glass' || facts.kind === 'tempered_glass';

/** Returns the lines that fit a new part: replace (or section), and aim or align where the row has a time for it. */
function fitLines(target: Target, operation: 'R&R' | 'Sect', hours: number, ctx: PricingContext): Line[] {
  const { facts } = target;
  const glass = isGlass(target);
  const level = glass ? (ctx.region.price_level?.glass_hours ?? 1) : 1;
  const line = (op: Line['operation'], time: number, note: string): Line => ({
    operation: op,
    part: target.name,
    department: glass ? 'glass' : facts.department,
    hoursTenths: countTenths(time * level),
    basis: 'table',
    note,
  });
  return [
    line(operation, hours, operation === 'Sect' ? 'section at the window' : 'replace'),
    ...(facts.aim_hours > 0
      ? [line('Algn', facts.aim_hours, facts.kind === 'lamp' ? 'aim' : 'alignment')]
      : []),
  ];
}

function planNewPart(
  target: Target,
  ctx: PricingContext,
  choice: {
    option: string;
    source: 'oem' | 'aftermarket' | 'recycled';
    section?: boolean;
    inadequate?: Reason | undefined;
  },
): Plan | undefined {
  const { facts } = target;
  const part = choosePart(choice.source, target);
  if (part === undefined) return undefined;
  const base = countTenths(facts.refinish_new_hours);
  const glass = isGlass(target);
  return makeRepairPlan(choice.option, 'replacement', {
    role: choice.source === 'oem' ? 'replacement' : 'alternative_part',
    lines: fitLines(
      target,
      choice.section ? 'Sect' : 'R&R',
      choice.section ? facts.section_hours : facts.replace_hours,
      ctx,
    ),
    refinish: base > 0 ? [{ part: target.name, baseTenths: base }] : [],
    blends: base > 0 ? listBlends(target, ctx) : [],
    parts: [
      part,
      ...(glass ? [makeConsumable(ctx.tables.operations.glass_replacement, ctx)] : []),
      ...listSublets(target.name, ctx),
    ],
    inadequate: choice.inadequate,
    trace: [{ rule: `option.${choice.option}`, inputs: { part: target.name, source: choice.source } }],
  });
}

/** Returns the plans to replace a part: OEM, aftermarket or recycled, and a section where the panel is welded. */
export function listReplacementPlans(
  damages: readonly PricingDamage[],
  target: Target,
  ctx: PricingContext,
): Plan[] {
  const option = nameTarget(target);
  const metal = target.facts.kind === 'painted' && target.material !== 'plastic' && !target.facts.safety;
  const surface = metal && damages.every((damage) => isSurface(damage) && damage.subtype !== 'missing_part');
  const structure: Reason | undefined = needsStructuralWork(damages, target, ctx)
    ? 'structure_affected'
    : surface
      ? 'surface_only'
      : undefined;
  const worstScore = Math.max(...damages.map((damage) => damage.severityScore));
  const beyond: Reason | undefined =
    worstScore >= ctx.tables.operations.structural.from_score ? 'beyond_section' : undefined;
  const missing: Reason | undefined = damages.some((damage) => damage.subtype === 'missing_part')
    ? 'part_missing'
    : undefined;
  const plans = [
    target.facts.section_hours > 0
      ? planNewPart(target, ctx, {
          option: 'section_replacement',
          source: 'oem',
          section: true,
          inadequate: structure ?? missing ?? beyond,
        })
      : undefined,
    planNewPart(target, ctx, { option, source: 'oem', inadequate: structure }),
    planNewPart(target, ctx, {
      option: `${option}_aftermarket`,
      source: 'aftermarket',
      inadequate: structure,
    }),
    planNewPart(target, ctx, { option: `${option}_recycled`, source: 'recycled', inadequate: structure }),
  ];
  return plans.filter((plan) => plan !== undefined);
}

/**
 * Returns the structural plans: set-up, measure and pull, and a new panel; offered only where the structure is
 * affected.
 */
export function listStructuralPlans(
  damages: readonly PricingDamage[],
  target: Target,
  ctx: PricingContext,
): Plan[] {
  if (!needsStructuralWork(damages, target, ctx)) return [];
  const table = ctx.tables.operations.structural;
  const worstScore = Math.max(...damages.map((damage) => damage.severityScore));
  const above = Math.max(0, worstScore - table.pull_above_score);
  const pull = table.pull_hours + table.pull_per_point_squared * above ** 2;
  const panel = planNewPart(target, ctx, { option: 'structural_repair', source: 'oem' });
  if (panel === undefined) return [];
  const line = (operation: 'Setup' | 'Pull', hours: number, basis: Line['basis'], note: string): Line => ({
    operation,
    part: target.name,
    department: 'structural',
    hoursTenths: Math.round(hours * 10),
    basis,
    note,
  });
  return [
    {
      ...panel,
      repairType: 'structural',
      role: 'repair',
      lines: [
        line('Setup', table.setup_hours, 'table', 'set up on the bench and measure'),
        line(
          'Pull',
          pull,
          'judgement',
          `${table.pull_hours} + ${table.pull_per_point_squared} x (score - ${table.pull_above_score})²`,
        ),
        ...panel.lines,
      ],
      trace: [{ rule: 'option.structural_repair', inputs: { part: target.name, highest_score: worstScore } }],
    },
  ];
}
