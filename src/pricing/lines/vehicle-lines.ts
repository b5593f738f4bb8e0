import { PART_NAMES, type PartName } from '../../domain/parts.ts';
import { chooseDepartment } from '../../domain/repair.ts';
import type { PanelRepair } from '../option/panel-repair.ts';
import { FITTING, isBought, type Line, OF_ALL_PANELS, type PlanPart } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import {
  type EstimateLine,
  findTaxClass,
  LINE_DEFAULTS,
  makeLaborLine,
  makeSlug,
  type UnnumberedLine,
} from './line.ts';
import { refreshDerived } from './materials-and-fees.ts';

/** A panel's repair as part of the vehicle's. */
export interface PanelInJob extends PanelRepair {
  /** Labor lines other than refinish, combined for the vehicle. */
  readonly work: readonly Line[];
}

/**
 * Lists the estimate: panels from front to rear, each with its parts and paint, then paint over all panels, paint
 * materials, the region's fees and expected operations. Nothing is listed twice; the totals add the rounding line.
 */
export function listVehicleLines(
  panels: readonly PanelInJob[],
  refinish: readonly Line[],
  associated: readonly UnnumberedLine[],
  ctx: PricingContext,
): readonly EstimateLine[] {
  const { zones } = ctx.tables.operations.estimate_order;
  // Mechanical parts, in no zone, follow the body.
  const rankZone = (part: PartName) => [...zones, ''].findIndex((name) => part.startsWith(name));
  const sorted = panels.toSorted(
    ({ target: a }, { target: b }) =>
      rankZone(a.part) - rankZone(b.part) || PART_NAMES.indexOf(a.part) - PART_NAMES.indexOf(b.part),
  );
  const painted = new Set<Line>();
  const panelLines = sorted.flatMap((panel) => {
    // Left and right components of the same name get one line each.
    const line = refinish.find(
      (one) => one.operation === 'Refn' && one.part === panel.target.name && !painted.has(one),
    );
    if (line !== undefined) painted.add(line);
    return [...listPanelLines(panel, ctx), ...(line === undefined ? [] : [makeRefinishLine(line, panel)])];
  });
  const shared = refinish.filter((line) => !painted.has(line)).map((line) => makeRefinishLine(line));
  return refreshDerived(numberLines([...panelLines, ...shared], associated), ctx);
}

/** Expected lines are numbered after the next multiple of this, so a user's lines directly follow the estimate's. */
const NUMBER_STEP = 100;

/** Numbers the lines; a repeated id, such as of moldings on both sides, gets the suffix `-2`. */
function numberLines(
  estimate: readonly UnnumberedLine[],
  expected: readonly UnnumberedLine[],
): EstimateLine[] {
  const occurrences = new Map<string, number>();
  const beforeExpected = NUMBER_STEP * Math.ceil((estimate.length + 1) / NUMBER_STEP);
  return [...estimate, ...expected].map((line, i) => {
    const occurrence = (occurrences.get(line.id) ?? 0) + 1;
    occurrences.set(line.id, occurrence);
    const number = i < estimate.length ? i + 1 : beforeExpected + i - estimate.length + 1;
    return { ...line, id: occurrence === 1 ? line.id : `${line.id}-${occurrence}`, number };
  });
}

/** Creates the lines of one panel: the new part on the line that fits it, consumables and sublets on separate lines. */
function listPanelLines(panel: PanelInJob, ctx: PricingContext): UnnumberedLine[] {
  const { target, work, option, damageIds } = panel;
  const { consumable } = ctx.tables.operations.materials;
  const newPart = option.parts.find(isBought);
  const lines = work.map(
    (line): UnnumberedLine => ({
      ...makeLaborLine(line),
      id: `${target.key}/${makeSlug(line.operation)}`,
      group: 'part',
      requiredBy: target.part,
      damageIds,
      fixedMinor: line.fixed?.minor,
      ...(newPart !== undefined && FITTING.includes(line.operation) ? describeGoods(newPart) : {}),
      source: line.source ?? (line.basis === 'table' ? target.facts.source : `${line.basis}: ${line.note}`),
    }),
  );
  const others = option.parts.filter((part) => part !== newPart && part.part !== consumable);
  return [...lines, ...others.map((part) => makeGoodsLine(part, panel))];
}

const describeGoods = (part: PlanPart) => ({
  goodsMinor: part.priceMinor,
  partSource: part.source,
  taxClass: findTaxClass(part),
});

/** Creates the line of a consumable or a sublet. */
function makeGoodsLine(part: PlanPart, { target, damageIds }: PanelInJob): UnnumberedLine {
  const operation = part.type === 'sublet' ? 'Subl' : 'Add';
  return {
    ...LINE_DEFAULTS,
    id: `${target.key}/${part.part}/${makeSlug(operation)}`,
    group: 'part',
    operation,
    part: part.part,
    requiredBy: target.part,
    damageIds,
    department: chooseDepartment(operation),
    ...describeGoods(part),
    basis: 'table',
    note: part.type,
    source: part.type === 'consumable' ? 'operations table' : target.facts.source,
  };
}

function makeRefinishLine(line: Line, panel?: PanelInJob): UnnumberedLine {
  // Clear coat and stages apply to all panels, so their id must not depend on the panel that carries most of them.
  const partName = OF_ALL_PANELS.includes(line.operation) ? 'painted_panels' : line.part;
  return {
    ...makeLaborLine(line),
    id: `${panel?.target.key ?? partName}/${makeSlug(line.operation)}`,
    group: panel === undefined ? 'refinish' : 'part',
    requiredBy: panel?.target.part,
    damageIds: panel?.damageIds ?? [],
    source: panel === undefined ? `${line.basis}: ${line.note}` : panel.target.facts.source,
  };
}
