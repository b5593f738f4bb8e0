import { isPartName } from '../../domain/parts.ts';
import type { Operation } from '../../domain/repair.ts';
import { makeSlug, PLAIN_LINE, type UnnumberedLine } from '../lines/line.ts';
import { findSubletLevel, hasFacts } from '../option/equipment.ts';
import type { PricedOption } from '../option/price.ts';
import { FITTING, type Line } from '../option/repair-plan.ts';
import { convertTablePrice, type PricingContext } from '../pricing-context.ts';
import type { Repaired } from './panel-repair.ts';

type AssociatedRow = PricingContext['tables']['associated']['rows'][number];
type Trigger = Exclude<AssociatedRow['when'], 'blended'>;

const isDone = (panels: readonly PricedOption[], trigger: Trigger): boolean =>
  panels.some(({ lines, plan }) => {
    const has = (...operations: Operation[]) => lines.some((line) => operations.includes(line.operation));
    if (trigger === 'painted') return plan.refinish.length > 0;
    if (trigger === 'pushed') return has('PDR');
    return trigger === 'replaced' ? has(...FITTING) : has(...MOVES);
  });

/**
 * Returns the operations expected with the repair of these panels, and the blending of their neighbours, each once.
 * What is taken off anyway is left out.
 */
export function listAssociatedOperations(
  panels: readonly Repaired[],
  refinish: readonly Line[],
  ctx: PricingContext,
  expected = prepareExpectedOperations(ctx),
): readonly UnnumberedLine[] {
  if (ctx.associated === 'off') return [];
  const moved = new Set<string>(
    panels
      .filter(({ option }) => option.lines.some(({ operation }) => MOVES.includes(operation)))
      .map(({ target }) => target.name),
  );
  // A scratch, rust or a dent that is pushed out says nothing of what lies behind.
  const bent = new Set<string>(
    panels
      .filter(({ option, hit }) => hit && !['cosmetic', 'pdr'].includes(option.plan.repairType))
      .map(({ target }) => target.name),
  );
  const body = panels.filter(({ target }) => target.facts.kind === 'painted');
  const onBench = panels.some(({ option }) => option.lines.some((line) => line.operation === 'Setup'));
  const asksFor = (row: AssociatedRow, on: string): boolean => {
    if (row.when === 'blended') return refinish.some((line) => line.operation === 'Blnd' && line.part === on);
    const done = on === 'vehicle' ? body : panels.filter(({ target }) => target.name === on);
    return isDone(
      done.map((panel) => panel.option),
      row.when,
    );
  };
  const isHitAlong = ({ also }: AssociatedRow, on: string) =>
    also === undefined || (bent.has(on) && also.some((part) => part !== on && bent.has(part)));
  const asked = listRowsFor(panels, refinish, expected)
    .filter((row) => row.operation !== 'Setup' || !onBench)
    // Its own repair takes it off already; a polished bumper is still in the way.
    .filter((row) => !moved.has(row.part))
    .map((row) => ({ row, sources: row.on.filter((on) => asksFor(row, on) && isHitAlong(row, on)) }))
    .filter(({ sources }) => sources.length > 0);
  const makeWorkKey = ({ operation, part }: AssociatedRow) => `${operation} ${part}`;
  const likeliest = new Map<string, AssociatedRow>();
  for (const { row } of asked)
    if (row.frequency > (likeliest.get(makeWorkKey(row))?.frequency ?? -1))
      likeliest.set(makeWorkKey(row), row);
  const lines = asked.flatMap(({ row, sources }) => {
    // A bumper is taken off once and wheels are aligned once, whatever asks for it: the likeliest does.
    const once = row.once === true || isPartName(row.part);
    if (once && likeliest.get(makeWorkKey(row)) !== row) return [];
    // A part of its own side comes once per panel, a part of the whole car once.
    const asking = once || row.on.length === 1 ? sources.slice(0, 1) : sources;
    return asking.map((because) => expected.findLine(row, because));
  });
  // What may be replaced is not taken off as well.
  const makePlaceKey = ({ part, because }: UnnumberedLine) => `${because}/${part}`;
  const replaced = new Set(lines.filter((line) => line.operation === 'R&R').map(makePlaceKey));
  return lines.filter((line) => line.operation !== 'R&I' || !replaced.has(makePlaceKey(line)));
}

/** Operations that may be expected with a repair of one vehicle. */
export interface ExpectedOperations {
  readonly rows: readonly AssociatedRow[];
  /** Returns the line of a row, made once. */
  readonly findLine: (row: AssociatedRow, because: string) => UnnumberedLine;
}

/**
 * Returns the operations that may be expected with a repair of this vehicle. A search over ways of repair shares them, as
 * it asks for the same lines thousands of times.
 */
export function prepareExpectedOperations(ctx: PricingContext): ExpectedOperations {
  const made = new Map<AssociatedRow, Map<string, UnnumberedLine>>();
  return {
    rows: ctx.tables.associated.rows
      .flatMap(splitLamps)
      .filter((row) => hasFacts(row.only_with ?? {}, ctx) && !(row.not_with && hasFacts(row.not_with, ctx)))
      // What the region charges as a fee is in the total already.
      .filter((row) => !ctx.region.fees?.some((fee) => fee.name === row.part)),
    findLine: (row, because) => {
      const ofRow = made.get(row) ?? new Map<string, UnnumberedLine>();
      const line = ofRow.get(because) ?? makeAssociatedLine(row, because, ctx);
      made.set(row, ofRow.set(because, line));
      return line;
    },
  };
}

/** Returns the rows of these panels, and of those painted next to them: most rows are of others. */
function listRowsFor(panels: readonly Repaired[], refinish: readonly Line[], { rows }: ExpectedOperations) {
  const names = panels.map(({ target }) => target.name);
  const touched = new Set(['vehicle', ...names, ...refinish.map(({ part }) => part)]);
  return rows.filter((row) => row.on.some((on) => touched.has(on)));
}

/** Operations for which a part is off the vehicle. */
const MOVES: readonly Operation[] = [...FITTING, 'R&I'];

const LAMP = /^(headlight|taillight)(s?)$/;

/**
 * Splits a row that takes lamps off into one row per lamp, so that none is taken off twice, nor one that is replaced:
 * both lamps of a bumper, the lamp of its own side of a panel.
 */
function splitLamps(row: AssociatedRow): readonly AssociatedRow[] {
  const [, lamp, both] = LAMP.exec(row.part) ?? [];
  if (lamp === undefined) return [row];
  return (['left', 'right'] as const).flatMap((side) => {
    const on = both ? row.on : row.on.filter((part) => part.endsWith(`_${side}`));
    const hours = both ? row.hours / 2 : row.hours;
    return on.length === 0 ? [] : [{ ...row, on, hours, part: `${lamp}_${side}` }];
  });
}

/** Returns an expected operation with its price at the market's level; parts by the vehicle's class. */
function makeAssociatedLine(row: AssociatedRow, because: string, ctx: PricingContext): UnnumberedLine {
  const { operation, part, department, source } = row;
  const level = operation === 'Subl' ? findSubletLevel(part, ctx) : (ctx.region.price_level?.parts ?? 1);
  const taxClass = row.tax_class ?? (operation === 'Subl' ? 'sublet' : 'parts');
  const ofClass = ctx.tables.parts.classes.find((one) => one.class === ctx.vehicleClass);
  const factor = taxClass === 'parts' ? (ofClass?.price_factors.panel ?? 1) * ctx.yearLevel : 1;
  const goodsMinor = convertTablePrice(row.price * level * factor, ctx);
  const frequency = row.frequency * (ctx.region.expected?.share ?? 1);
  const panel = because === 'vehicle' ? undefined : because;
  return {
    ...PLAIN_LINE,
    id: `${panel === undefined || isPartName(part) ? '' : `${panel}/`}${part}/${makeSlug(operation)}`,
    group: 'expected',
    operation,
    part,
    because: panel,
    department,
    hoursTenths: Math.round(row.hours * 10),
    goodsMinor,
    partSource: goodsMinor > 0 && operation === 'R&R' ? 'oem' : undefined,
    taxClass: goodsMinor > 0 ? taxClass : 'labour',
    basis: 'table',
    note: `on ${Math.round(frequency * 100)} % of such jobs`,
    source,
    counted: ctx.associated === 'all' ? 'total' : 'range',
    frequency,
  };
}
