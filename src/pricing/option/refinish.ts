import { roundHalfAway, roundProduct } from '../../domain/money.ts';
import { compareTexts } from '../../lib/names.ts';
import { toPercent } from '../../lib/numbers.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { Tables } from '../tables/load.ts';
import type { Line, RefinishEntry } from './repair-plan.ts';
import { countTenths } from './repair-time.ts';

type PaintJob = Pick<PricingContext, 'tables' | 'paint'>;

/**
 * Sorts panels by hours, descending: the first carries the full clear coat. Ties are sorted by name, so input order
 * never matters.
 */
const sortEntries = (entries: readonly RefinishEntry[]): RefinishEntry[] =>
  [...entries].sort((a, b) => b.baseTenths - a.baseTenths || compareTexts(a.part, b.part));

/** Returns true for a minor panel, whose overlap is the same whether or not it is adjacent to others. */
const isMinor = (entry: RefinishEntry, table: Tables['refinish']): boolean =>
  entry.baseTenths < countTenths(table.minor_panel_below_hours);

/** Groups major panels that are adjacent, directly or through others. */
function findTouchingGroups(parts: readonly string[], adjacent: readonly (readonly string[])[]) {
  const group = new Map(parts.map((part, i) => [part, i] as const));
  for (const [a = '', b = ''] of adjacent) {
    const from = group.get(a);
    const to = group.get(b);
    if (from === undefined || to === undefined || from === to) continue;
    for (const [part, groupId] of group) if (groupId === from) group.set(part, to);
  }
  return group;
}

/** Computes each panel's base and overlap time in tenths of an hour, sorted as by `sortEntries`. */
function subtractOverlap(entries: readonly RefinishEntry[], { tables }: PaintJob) {
  const { refinish: table, parts } = tables;
  const ordered = sortEntries(entries);
  const groups = findTouchingGroups(
    ordered.filter((entry) => !isMinor(entry, table)).map((entry) => entry.part),
    parts.adjacent,
  );
  const startedGroups = new Set<number>();
  return ordered.map((entry, i) => {
    const group = groups.get(entry.part);
    const isAdjacent = group !== undefined && startedGroups.has(group);
    if (group !== undefined) startedGroups.add(group);
    const hours = isMinor(entry, table)
      ? table.overlap_minor_hours
      : isAdjacent
        ? table.overlap_adjacent_hours
        : table.overlap_other_hours;
    return { ...entry, overlapTenths: i === 0 ? 0 : Math.min(entry.baseTenths, countTenths(hours)) };
  });
}

/** Sums net times, the first panel at one share and the rest at another, in tenths of an hour, rounded half up. */
function sumShares(netTenths: readonly number[], first: number, additional: number): number {
  return roundProduct(netTenths.reduce((sum, time, i) => sum + time * (i === 0 ? first : additional), 0));
}

/**
 * Creates the refinish lines of one continuous procedure. Each panel but the first has its overlap deducted. Clear coat
 * adds a share for the first panel and a smaller one for others, up to a cap; three-stage paint adds its own shares instead,
 * clear coat included. Panels that are painted anyway are not blended.
 */
export function makeRefinishLines(
  entries: readonly RefinishEntry[],
  blends: readonly RefinishEntry[],
  job: PaintJob,
): Line[] {
  const table = job.tables.refinish;
  const isThreeStage = job.paint === 'three_stage';
  const line = (operation: Line['operation'], part: string, hoursTenths: number, note: string): Line => ({
    operation,
    part,
    department: 'refinish',
    hoursTenths,
    basis: operation === 'Refn' ? 'table' : 'formula',
    note,
  });
  const painted = entries.filter((entry) => entry.baseTenths > 0);
  const panels = subtractOverlap(painted, job);
  const net = panels.map((panel) => panel.baseTenths - panel.overlapTenths);
  const lines = panels.map(({ part, baseTenths, overlapTenths }, i): Line => {
    const refinishLine = line('Refn', part, net[i] ?? 0, 'base');
    if (overlapTenths === 0) return refinishLine;
    const note = `base ${(baseTenths / 10).toFixed(1)} less overlap ${(overlapTenths / 10).toFixed(1)}`;
    return { ...refinishLine, overlapTenths, note };
  });
  const [first] = panels;
  const describe = (share: number, further: number) =>
    `${toPercent(share)} % first, ${toPercent(further)} % further`;
  if (first !== undefined && isThreeStage) {
    const { three_stage_first: share, three_stage_additional: further } = table;
    const note = `three-stage with clear: ${describe(share, further)}`;
    lines.push(line('3-stg', first.part, sumShares(net, share, further), note));
  } else if (first !== undefined) {
    const { clear_first: share, clear_additional: further, clear_cap_hours: most } = table;
    const note = `clear coat: ${describe(share, further)}, at most ${most}`;
    lines.push(line('Clear', first.part, Math.min(sumShares(net, share, further), countTenths(most)), note));
  }
  const share = isThreeStage ? table.blend_three_stage : table.blend_two_stage;
  const done = new Set(panels.map((panel) => panel.part));
  for (const blend of sortEntries(blends)) {
    if (done.has(blend.part)) continue;
    done.add(blend.part);
    lines.push(
      line('Blnd', blend.part, roundHalfAway(blend.baseTenths * share), `${toPercent(share)} % of base`),
    );
  }
  return lines;
}
