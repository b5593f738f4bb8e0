import { type LineEdit, matchesLine } from '../lines/edit-lines.ts';
import { type EstimateLine, makePaintId } from '../lines/line.ts';
import { renewLines } from '../lines/materials-and-fees.ts';
import { listVehicleLines, type PanelInJob } from '../lines/vehicle-lines.ts';
import type { PanelRepair } from '../option/panel-repair.ts';
import { joinPdrVisits } from '../option/pdr.ts';
import { makeRefinishLines } from '../option/refinish.ts';
import type { Line } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import { listAssociatedOperations } from './associated.ts';

/** Combines the panels' repairs into one job: each panel's labor, refinish over all panels, and the estimate's lines. */
export function listJob(panels: readonly PanelRepair[], ctx: PricingContext) {
  const options = panels.map(({ option }) => option);
  const work = joinPdrVisits(joinStructuralWork(options.map(({ plan }) => plan.lines)), ctx);
  const refinish = makeRefinishLines(
    options.flatMap((option) => option.plan.refinish),
    options.flatMap((option) => option.plan.blends),
    ctx,
  );
  const repaired = panels.map((panel, i) => ({ ...panel, work: work[i] ?? [] }));
  const associated = listAssociatedOperations(repaired, refinish, ctx);
  return { panels: repaired, lines: listVehicleLines(repaired, refinish, associated, ctx) };
}

/**
 * Lists a job's lines again where edits remove the paint of panels: without their blends, overlap, share of the clear
 * coat and operations expected with it. Lines keep their numbers; those that an edit names are kept.
 */
export function relistUnpainted(
  { panels, lines }: ReturnType<typeof listJob>,
  changed: readonly LineEdit[],
  ctx: PricingContext,
): readonly EstimateLine[] {
  const isIn = (edits: readonly LineEdit[]) => (line: EstimateLine) =>
    edits.some((edit) => matchesLine(edit.line)(line));
  const removed = lines
    .filter(isIn(changed.filter(({ action, hoursTenths }) => action === 'remove' || hoursTenths === 0)))
    .map(({ id }) => id);
  const isUnpainted = ({ target }: PanelInJob) => removed.includes(makePaintId(target));
  const unpainted = panels.filter(isUnpainted).map(({ target }) => target.name);
  if (unpainted.length === 0) return lines;
  const relisted = listJob(
    panels.map((panel): PanelInJob => {
      const { plan } = panel.option;
      const refinish = isUnpainted(panel) ? [] : plan.refinish;
      const blends = isUnpainted(panel) ? [] : plan.blends.filter(({ part }) => !unpainted.includes(part));
      return { ...panel, option: { ...panel.option, plan: { ...plan, refinish, blends } } };
    }),
    ctx,
  ).lines;
  return renewLines(lines, relisted, isIn(changed));
}

/**
 * Combines the structural work of all panels into one procedure: one set-up, the longest pull in full, the others at
 * half, rounded up. Keeps the grouping by panel.
 */
function joinStructuralWork(panels: readonly (readonly Line[])[]): Line[][] {
  const [setup, pull] = (['Setup', 'Pull'] as const).map((operation) => {
    const like = panels.flat().filter((line) => line.operation === operation);
    return like.toSorted((a, b) => b.hoursTenths - a.hoursTenths)[0];
  });
  return panels.map((lines) =>
    lines
      .filter((line) => line.operation !== 'Setup' || line === setup)
      .map((line) => {
        if (line.operation !== 'Pull' || line === pull) return line;
        const note = `${line.note}, at half, next to the longest`;
        return { ...line, hoursTenths: Math.ceil(line.hoursTenths / 2), note };
      }),
  );
}
