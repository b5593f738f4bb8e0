import type { RuleTrace } from '../../../domain/damage.ts';
import { compact } from '../../../lib/lists.ts';
import { roundTo } from '../../../lib/numbers.ts';
import { defined } from '../../../lib/objects.ts';
import { convertTablePrice } from '../../pricing-context.ts';
import { isMisaligned, isSurface, type PricingDamage } from '../damage.ts';
import { makePdrLine } from '../pdr.ts';
import { findSubletLevel } from '../region-prices.ts';
import type { Line, Plan, Reason } from '../repair-plan.ts';
import { combineJobs, countTenths, FURTHER_SHARE, scoreTenths, timeRepair } from '../repair-time.ts';
import type { Target } from '../target.ts';
import { evaluateLightRepair, listLightPlans } from './light.ts';
import { type Job, listBlends, makeBodyLine, makeRepairPlan } from './make-plan.ts';

/** Returns the reason that rules out repairing the panel in place; undefined if repair is possible. */
function findReasonAgainstRepair(damage: PricingDamage, job: Job): Reason | undefined {
  const { facts, material } = job.target;
  const { structural, plastic_crack } = job.ctx.tables.operations;
  if (isSurface(damage)) return undefined;
  if (facts.repair_hours === 0) return 'not_repaired';
  if (damage.severityScore >= structural.from_score) return 'critical_damage';
  const isCrackInPlastic = damage.type === 'crack' && material === 'plastic';
  return isCrackInPlastic && damage.severityScore >= plastic_crack.repairable_below
    ? 'crack_in_plastic'
    : undefined;
}

/**
 * Times the body work on one damage before refinishing, in tenths of an hour, and traces the factors of a judgment time;
 * several similar dents count as separate jobs.
 */
function timeDamage(damage: PricingDamage, { target, ctx }: Job) {
  const { operations } = ctx.tables;
  const isPlasticScratch = isSurface(damage) && target.material === 'plastic';
  if (isMisaligned(damage) || isPlasticScratch) {
    const row = isMisaligned(damage) ? operations.align : operations.plastic_scratch;
    return { damage, tenths: scoreTenths(row, damage.severityScore), trace: [] };
  }
  const { repair_hours: partHours } = target.facts;
  const { tenths: eachTenths, ...factors } = timeRepair(damage, partHours, operations);
  const tenths = combineJobs(Array<number>(damage.count ?? 1).fill(eachTenths));
  const inputs = {
    part_hours: partHours,
    type: roundTo(factors.type, 3),
    severity: roundTo(factors.severity, 3),
    size: roundTo(factors.size, 3),
    ...defined({ dents: damage.count }),
    hours: tenths / 10,
  };
  return { damage, tenths, trace: [{ rule: 'judgment.repair-hours', inputs }] };
}

/** Base time to refinish the repaired panel, in tenths of an hour. */
const readBaseTenths = ({ facts }: Target) => countTenths(facts.refinish_repair_hours);

/** A line of body time, and the rules that gave its hours. */
interface BodyWork {
  readonly line: Line;
  readonly trace: readonly RuleTrace[];
}

/**
 * Times the body work on these damages of a panel: the longest in full, the others at half, scratches together at most
 * the base time to refinish the panel, because sanding and priming all of it takes no longer.
 */
function timeBodyWork(damages: readonly PricingDamage[], job: Job): BodyWork {
  const timed = damages.map((damage) => timeDamage(damage, job));
  const combine = (those: typeof timed) => combineJobs(those.map(({ tenths }) => tenths));
  const mostTenths = Math.max(2, readBaseTenths(job.target));
  const surfaceTenths = Math.min(mostTenths, combine(timed.filter(({ damage }) => isSurface(damage))));
  const others = timed.filter(({ damage }) => !isSurface(damage)).map(({ tenths }) => tenths);
  const hoursTenths = combineJobs([...others, surfaceTenths]);
  const own = timed.map(({ tenths }) => tenths / 10);
  const inputs = {
    each: own.join(', '),
    scratches_at_most: mostTenths / 10,
    further_share: FURTHER_SHARE,
    hours: hoursTenths / 10,
  };
  const isOwn = own.length === 0 || (own.length === 1 && own[0] === inputs.hours);
  return {
    line: makeBodyLine(job.target, { operation: 'Rpr', hoursTenths, note: 'judgment time' }),
    trace: [
      ...timed.flatMap(({ trace }) => trace),
      ...(isOwn ? [] : [{ rule: 'judgment.line-hours', inputs }]),
    ],
  };
}

/** Returns the line that takes a badly damaged bolted plastic panel off; none if it is repaired on the car. */
function listRemovals({ damages, target, ctx, worstScore }: Job): readonly Line[] {
  const isRemoved =
    worstScore >= ctx.tables.operations.plastic_off.from_score &&
    target.material === 'plastic' &&
    !target.facts.welded &&
    !damages.every(isSurface);
  const hoursTenths = countTenths(target.facts.remove_install_hours);
  const note = 'off the car for repair and paint';
  return isRemoved ? [makeBodyLine(target, { operation: 'R&I', hoursTenths, basis: 'table', note })] : [];
}

/** Methods that end with painting the whole panel. */
const PAINTED = { panel_refinish: 'cosmetic', pdr_and_paint: 'pdr', panel_repair: 'panel_repair' } as const;

/** Plans a repair that paints the panel and, from a score on, blends its neighbors; `before` precedes the body work. */
function planWithPaint(
  job: Job,
  method: keyof typeof PAINTED,
  basis: string,
  work: BodyWork,
  before: readonly Line[] = [],
): Plan {
  const { damages, target, ctx, worstScore } = job;
  const baseTenths = readBaseTenths(target);
  const blendFrom = ctx.tables.operations.blend_from_score.score;
  const blends = worstScore >= blendFrom ? listBlends(target, ctx) : [];
  // Pulling a welded panel is structural work; filler and paint are not.
  const isPulled = method === 'panel_repair' && target.facts.welded && !damages.every(isSurface);
  return makeRepairPlan({ methods: [method] }, PAINTED[method], {
    lines: [...before, work.line].filter((line) => line.hoursTenths > 0),
    refinish: baseTenths > 0 ? [{ part: target.name, baseTenths }] : [],
    blends,
    inadequate: compact(damages.map((damage) => findReasonAgainstRepair(damage, job)))[0],
    ...(isPulled ? { contractType: 'structural' } : {}),
    trace: [
      { rule: `option.${method}`, inputs: { part: target.name, basis, highest_score: worstScore } },
      ...work.trace,
      ...(blends.length > 0 ? [{ rule: 'refinish.blend-adjacent', inputs: { from_score: blendFrom } }] : []),
    ],
  });
}

/** Lists the plans that paint the panel: refinish only, or PDR with paint and conventional repair. */
function listPaintPlans(job: Job): Plan[] {
  const { damages, ctx, worstScore, isMissing } = job;
  if (isMissing) return [];
  const work = timeBodyWork(damages, job);
  if (damages.every(isSurface) && worstScore < ctx.tables.operations.refinish_panel.offered_below)
    return [planWithPaint(job, 'panel_refinish', 'feather, prime, paint', work)];
  return [
    ...listPdrAndPaint(job),
    planWithPaint(job, 'panel_repair', 'hours x type x severity x size', work, listRemovals(job)),
  ];
}

/** Plans pushing the dents out and painting the panel; empty if there are none or one of them cannot be pushed out. */
function listPdrAndPaint(job: Job): Plan[] {
  const { damages, target, ctx } = job;
  const dents = damages.filter((damage) => damage.type === 'dent' && !isMisaligned(damage));
  const others = damages.filter((damage) => !dents.includes(damage));
  if (!dents.every((dent) => evaluateLightRepair('pdr', dent, job) !== undefined)) return [];
  const pushing = makePdrLine(dents, target, ctx);
  if (pushing === undefined) return [];
  const basis = `dents below score ${ctx.tables.pdr.with_paint_below_score}`;
  return [planWithPaint(job, 'pdr_and_paint', basis, timeBodyWork(others, job), [pushing])];
}

/** Lists the repair plans of a painted panel, or of a component repaired like one, for all its damages. */
export const listPaintedPlans = (job: Job): Plan[] =>
  job.target.component === job.ctx.tables.operations.wheel_refurbish.component
    ? [planRefurbishment(job)]
    : [...listLightPlans(job), ...listPaintPlans(job)];

/** Plans flat-price refurbishment at a wheel shop, for scuffs and corrosion but not for possible cracks or bends. */
function planRefurbishment({ damages, target, ctx, worstScore }: Job): Plan {
  const { price, adequate_below } = ctx.tables.operations.wheel_refurbish;
  const isScuffed =
    damages.every((one) => isSurface(one) || one.type === 'rust') && worstScore < adequate_below;
  const method = 'wheel_refurbishment';
  const priceMinor = convertTablePrice(price * findSubletLevel(method, ctx), ctx);
  return makeRepairPlan({ methods: [method] }, 'cosmetic', {
    lines: [],
    parts: [{ part: method, type: 'sublet', source: 'sublet', priceMinor }],
    inadequate: isScuffed ? undefined : 'safety_part',
    trace: [{ rule: `option.${method}`, inputs: { part: target.name, adequate_below } }],
  });
}
