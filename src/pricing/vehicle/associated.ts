import { isPartName } from '../../domain/parts.ts';
import { chooseTaxClass, type Operation } from '../../domain/repair.ts';
import { LINE_DEFAULTS, makeSlug, type UnnumberedLine } from '../lines/line.ts';
import { hasFacts } from '../option/equipment.ts';
import type { PanelRepair } from '../option/panel-repair.ts';
import type { PricedOption } from '../option/price.ts';
import { findSubletLevel } from '../option/region-prices.ts';
import { FITTING, type Line } from '../option/repair-plan.ts';
import { countTenths } from '../option/repair-time.ts';
import { convertTablePrice, findClassRow, findPartLevel, type PricingContext } from '../pricing-context.ts';
import { revealsHiddenDamage } from './teardown.ts';

type AssociatedRow = PricingContext['tables']['associated']['rows'][number];
type When = Exclude<AssociatedRow['when'], 'blended'>;

const hasOperation = ({ lines }: PricedOption, operations: readonly Operation[]) =>
  lines.some((line) => operations.includes(line.operation));

/** Whether a panel's repair matches the rows of each kind. */
const MATCHES: Readonly<Record<When, (option: PricedOption) => boolean>> = {
  painted: ({ plan }) => plan.refinish.length > 0,
  pushed: (option) => hasOperation(option, ['PDR']),
  replaced: (option) => hasOperation(option, FITTING),
  removed: (option) => hasOperation(option, REMOVING_OPERATIONS),
};

/**
 * Lists the operations expected with the repair of these panels and their blends, once per panel or per vehicle. Omits
 * R&I of parts that the repair removes anyway.
 */
export function listAssociatedOperations(
  panels: readonly PanelRepair[],
  refinish: readonly Line[],
  ctx: PricingContext,
): readonly UnnumberedLine[] {
  if (ctx.associated === 'off') return [];
  const lines = keepOncePerVehicle(listTriggered(panels, refinish, ctx)).flatMap(({ row, panelNames }) =>
    panelNames.map((panelName) => makeAssociatedLine(row, panelName, ctx)),
  );
  return dropCoveredRemovals(lines);
}

type TriggeredRow = ReturnType<typeof listTriggered>[number];

/**
 * Lists the rows triggered by the repairs, each with the names of the panels that trigger it (`vehicle` for a row of the
 * whole car), except work that a panel's own repair already contains.
 */
function listTriggered(panels: readonly PanelRepair[], refinish: readonly Line[], ctx: PricingContext) {
  const collectNames = (isIncluded: (panel: PanelRepair) => boolean) =>
    new Set<string>(panels.filter(isIncluded).map(({ target }) => target.name));
  // Parts that their own repair already removes; a polished bumper still has to be removed.
  const removed = collectNames(({ option }) => hasOperation(option, REMOVING_OPERATIONS));
  // Scratches, rust and dents that PDR can push out do not suggest hidden damage.
  const deformed = collectNames(
    ({ option, isImpact, isDeformed }) => isDeformed || (isImpact && revealsHiddenDamage(option)),
  );
  const paintedPanels = panels.filter(({ target }) => target.facts.kind === 'painted');
  const isOnBench = panels.some(({ option }) => hasOperation(option, ['Setup']));
  const isDue = ({ when }: AssociatedRow, on: string): boolean => {
    if (when === 'blended') return refinish.some((line) => line.operation === 'Blnd' && line.part === on);
    const affected = on === 'vehicle' ? paintedPanels : panels.filter(({ target }) => target.name === on);
    return affected.some(({ option }) => MATCHES[when](option));
  };
  const hasNeighbor = ({ also }: AssociatedRow, on: string) =>
    also === undefined || (deformed.has(on) && also.some((part) => part !== on && deformed.has(part)));
  return listRows(ctx)
    .filter((row) => row.operation !== 'Setup' || !isOnBench)
    .filter((row) => !removed.has(row.part))
    .map((row) => ({ row, panelNames: row.on.filter((on) => isDue(row, on) && hasNeighbor(row, on)) }))
    .filter((one) => one.panelNames.length > 0);
}

/**
 * Keeps an operation that is done once per vehicle once, in its most frequent row: a bumper is removed once, wheels are
 * aligned once. Every other operation applies once per panel that triggers it.
 */
function keepOncePerVehicle(triggered: readonly TriggeredRow[]): readonly TriggeredRow[] {
  const makeKey = ({ operation, part }: AssociatedRow) => `${operation} ${part}`;
  const mostFrequent = new Map<string, AssociatedRow>();
  for (const { row } of triggered)
    if (row.frequency > (mostFrequent.get(makeKey(row))?.frequency ?? -1))
      mostFrequent.set(makeKey(row), row);
  return triggered.flatMap(({ row, panelNames }) => {
    if (row.once !== true && !isPartName(row.part)) return [{ row, panelNames }];
    return mostFrequent.get(makeKey(row)) === row ? [{ row, panelNames: panelNames.slice(0, 1) }] : [];
  });
}

/** Drops the R&I of parts that may be replaced, because a replacement contains it. */
function dropCoveredRemovals(lines: readonly UnnumberedLine[]): readonly UnnumberedLine[] {
  const makeKey = ({ part, requiredBy }: UnnumberedLine) => `${requiredBy}/${part}`;
  const replaced = new Set(lines.filter((line) => line.operation === 'R&R').map(makeKey));
  return lines.filter((line) => line.operation !== 'R&I' || !replaced.has(makeKey(line)));
}

/** Lists the operations that may be expected on this vehicle, without fees that the region already charges. */
const listRows = (ctx: PricingContext) =>
  ctx.tables.associated.rows
    .flatMap(splitLamps)
    .filter((row) => hasFacts(row.only_with ?? {}, ctx) && !(row.not_with && hasFacts(row.not_with, ctx)))
    .filter((row) => !ctx.region.fees?.some((fee) => fee.name === row.part));

const REMOVING_OPERATIONS: readonly Operation[] = [...FITTING, 'R&I'];

const LAMP = /^(headlight|taillight)(s?)$/;

/**
 * Splits a row for a headlight or taillight into one row per lamp, to avoid removing a lamp twice or removing a replaced
 * one: both lamps for a bumper, the lamp on the same side for a panel.
 */
function splitLamps(row: AssociatedRow): readonly AssociatedRow[] {
  const [, lamp, isBoth] = LAMP.exec(row.part) ?? [];
  if (lamp === undefined) return [row];
  return (['left', 'right'] as const).flatMap((side) => {
    const on = isBoth ? row.on : row.on.filter((part) => part.endsWith(`_${side}`));
    const hours = isBoth ? row.hours / 2 : row.hours;
    return on.length === 0 ? [] : [{ ...row, on, hours, part: `${lamp}_${side}` }];
  });
}

/** Creates an expected operation priced at the market's level; parts are scaled by vehicle class and model year. */
function makeAssociatedLine(row: AssociatedRow, panelName: string, ctx: PricingContext): UnnumberedLine {
  const { operation, part, department, source } = row;
  const level = operation === 'Subl' ? findSubletLevel(part, ctx) : findPartLevel('parts', ctx);
  const taxClass = row.tax_class ?? chooseTaxClass(operation);
  const factor = taxClass === 'parts' ? (findClassRow(ctx)?.price_factors.panel ?? 1) * ctx.yearLevel : 1;
  const goodsMinor = convertTablePrice(row.price * level * factor, ctx);
  const frequency = row.frequency * (ctx.region.expected?.share ?? 1);
  const panel = panelName === 'vehicle' ? undefined : panelName;
  return {
    ...LINE_DEFAULTS,
    id: `${panel === undefined || isPartName(part) ? '' : `${panel}/`}${part}/${makeSlug(operation)}`,
    group: 'expected',
    operation,
    part,
    requiredBy: panel,
    department,
    hoursTenths: countTenths(row.hours),
    goodsMinor,
    partSource: goodsMinor > 0 && operation === 'R&R' ? 'oem' : undefined,
    taxClass: goodsMinor > 0 ? taxClass : 'labor',
    basis: 'table',
    note: `on ${Math.round(frequency * 100)} % of such jobs`,
    source,
    countedIn: ctx.associated === 'all' ? 'total' : 'range',
    frequency,
  };
}
