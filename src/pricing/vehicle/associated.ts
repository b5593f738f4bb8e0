import { isPartName } from '../../domain/parts.ts';
import type { Operation } from '../../domain/repair.ts';
import { LINE_DEFAULTS, makeSlug, type UnnumberedLine } from '../lines/line.ts';
import { hasFacts } from '../option/equipment.ts';
import type { PricedOption } from '../option/price.ts';
import { findSubletLevel } from '../option/region-prices.ts';
import { FITTING, type Line } from '../option/repair-plan.ts';
import { convertTablePrice, findPartLevel, type PricingContext } from '../pricing-context.ts';
import type { PanelRepair } from './panel-repair.ts';
import { revealsHiddenDamage } from './teardown.ts';

type AssociatedRow = PricingContext['tables']['associated']['rows'][number];
type Trigger = Exclude<AssociatedRow['when'], 'blended'>;

const isTriggered = (panels: readonly PricedOption[], trigger: Trigger): boolean =>
  panels.some(({ lines, plan }) => {
    const has = (...operations: Operation[]) => lines.some((line) => operations.includes(line.operation));
    if (trigger === 'painted') return plan.refinish.length > 0;
    if (trigger === 'pushed') return has('PDR');
    return trigger === 'replaced' ? has(...FITTING) : has(...REMOVING_OPERATIONS);
  });

/**
 * Lists the operations expected with the repair of these panels and their blends, each once. Omits R&I of parts that
 * the repair removes anyway.
 */
export function listAssociatedOperations(
  panels: readonly PanelRepair[],
  refinish: readonly Line[],
  ctx: PricingContext,
): readonly UnnumberedLine[] {
  if (ctx.associated === 'off') return [];
  const removed = new Set<string>(
    panels
      .filter(({ option }) => option.lines.some(({ operation }) => REMOVING_OPERATIONS.includes(operation)))
      .map(({ target }) => target.name),
  );
  // Scratches, rust and dents that PDR can push out do not suggest hidden damage.
  const deformed = new Set<string>(
    panels
      .filter(({ option, isImpact, isDeformed }) => isDeformed || (isImpact && revealsHiddenDamage(option)))
      .map(({ target }) => target.name),
  );
  const paintedPanels = panels.filter(({ target }) => target.facts.kind === 'painted');
  const isOnBench = panels.some(({ option }) => option.lines.some((line) => line.operation === 'Setup'));
  const isDue = (row: AssociatedRow, on: string): boolean => {
    if (row.when === 'blended') return refinish.some((line) => line.operation === 'Blnd' && line.part === on);
    const affected = on === 'vehicle' ? paintedPanels : panels.filter(({ target }) => target.name === on);
    return isTriggered(
      affected.map((panel) => panel.option),
      row.when,
    );
  };
  const hasNeighbour = ({ also }: AssociatedRow, on: string) =>
    also === undefined || (deformed.has(on) && also.some((part) => part !== on && deformed.has(part)));
  const triggered = listRows(ctx)
    .filter((row) => row.operation !== 'Setup' || !isOnBench)
    // The part's own repair already removes it; a polished bumper still has to be removed.
    .filter((row) => !removed.has(row.part))
    .map((row) => ({ row, sources: row.on.filter((on) => isDue(row, on) && hasNeighbour(row, on)) }))
    .filter(({ sources }) => sources.length > 0);
  const makeOperationKey = ({ operation, part }: AssociatedRow) => `${operation} ${part}`;
  const mostFrequent = new Map<string, AssociatedRow>();
  for (const { row } of triggered)
    if (row.frequency > (mostFrequent.get(makeOperationKey(row))?.frequency ?? -1))
      mostFrequent.set(makeOperationKey(row), row);
  const lines = triggered.flatMap(({ row, sources }) => {
    // A bumper is removed once and wheels are aligned once, so only the most frequent trigger adds the line.
    const isOncePerVehicle = row.once === true || isPartName(row.part);
    if (isOncePerVehicle && mostFrequent.get(makeOperationKey(row)) !== row) return [];
    // A row for one panel applies once per panel, a row for the whole car once.
    const triggers = isOncePerVehicle || row.on.length === 1 ? sources.slice(0, 1) : sources;
    return triggers.map((trigger) => makeAssociatedLine(row, trigger, ctx));
  });
  // A part that may be replaced needs no separate R&I.
  const makePanelKey = ({ part, requiredBy }: UnnumberedLine) => `${requiredBy}/${part}`;
  const replaced = new Set(lines.filter((line) => line.operation === 'R&R').map(makePanelKey));
  return lines.filter((line) => line.operation !== 'R&I' || !replaced.has(makePanelKey(line)));
}

/** Lists the operations that may be expected on this vehicle, without fees that the region already charges. */
const listRows = (ctx: PricingContext) =>
  ctx.tables.associated.rows
    .flatMap(splitLamps)
    .filter((row) => hasFacts(row.only_with ?? {}, ctx) && !(row.not_with && hasFacts(row.not_with, ctx)))
    .filter((row) => !ctx.region.fees?.some((fee) => fee.name === row.part));

/** Operations that remove a part from the vehicle. */
const REMOVING_OPERATIONS: readonly Operation[] = [...FITTING, 'R&I'];

const LAMP = /^(headlight|taillight)(s?)$/;

/**
 * Splits an R&I row for lamps into one row per lamp, to avoid removing a lamp twice or removing a replaced one: both
 * lamps for a bumper, the lamp on the same side for a panel.
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

/** Creates an expected operation priced at the market's level; parts are scaled by vehicle class. */
function makeAssociatedLine(row: AssociatedRow, trigger: string, ctx: PricingContext): UnnumberedLine {
  const { operation, part, department, source } = row;
  const level = operation === 'Subl' ? findSubletLevel(part, ctx) : findPartLevel('parts', ctx);
  const taxClass = row.tax_class ?? (operation === 'Subl' ? 'sublet' : 'parts');
  const classRow = ctx.tables.parts.classes.find((one) => one.class === ctx.vehicleClass);
  const factor = taxClass === 'parts' ? (classRow?.price_factors.panel ?? 1) * ctx.yearLevel : 1;
  const goodsMinor = convertTablePrice(row.price * level * factor, ctx);
  const frequency = row.frequency * (ctx.region.expected?.share ?? 1);
  const panel = trigger === 'vehicle' ? undefined : trigger;
  return {
    ...LINE_DEFAULTS,
    id: `${panel === undefined || isPartName(part) ? '' : `${panel}/`}${part}/${makeSlug(operation)}`,
    group: 'expected',
    operation,
    part,
    requiredBy: panel,
    department,
    hoursTenths: Math.round(row.hours * 10),
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
