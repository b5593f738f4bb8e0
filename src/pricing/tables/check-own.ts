import type { TableFault } from './check.ts';
import type { RegionRow } from './region-schema.ts';

/** An amount below or above this, in US dollars, is a slip of the keyboard or the wrong currency. */
const SENSE_USD = {
  part: { least: 0.5, most: 100_000 },
  fee: { least: 0, most: 10_000 },
  vehicle: { least: 200, most: 10_000_000 },
} as const;

/**
 * Returns the faults in what a region has of its own: rows listed twice, a panel that blends itself, implausible
 * amounts. `perUsd` is the region's currency for one US dollar; undefined where no rate is known, and no amount is
 * judged.
 */
export function listOwnFaults(row: RegionRow, where: string, perUsd: number | undefined): TableFault[] {
  const { prices = [], hours = [], fees = [], caps, pdr, blend = {} } = row;
  const amounts: readonly (readonly [string, keyof typeof SENSE_USD, number | null | undefined])[] = [
    ...prices.map(({ oem }, i) => [`prices[${i}].oem`, 'part', oem] as const),
    ...fees.map(({ amount }, i) => [`fees[${i}].amount`, 'fee', amount] as const),
    ['chip_repair.amount', 'fee', row.chip_repair?.amount],
    ['caps.materials', 'part', caps?.materials],
    ['pdr.minimum', 'fee', pdr?.minimum],
    ['pdr.oversize_each', 'fee', pdr?.oversize_each],
    ...(pdr?.rows ?? []).flatMap(({ price }, i) =>
      Object.entries(price).map(([size, amount]) => [`pdr.rows[${i}].price.${size}`, 'fee', amount] as const),
    ),
    ['default_market_value', 'vehicle', row.default_market_value],
  ];
  return [
    ...listRepeated(prices, ({ part, class: of = 'every class' }) => `${part}, ${of}`, `${where}.prices`),
    ...listRepeated(hours, ({ part }) => part, `${where}.hours`),
    ...listRepeated(fees, ({ name }) => name, `${where}.fees`),
    ...Object.entries(blend).flatMap(([panel, neighbours = []]) =>
      neighbours.some((one) => one === panel)
        ? [{ where: `${where}.blend.${panel}`, reason: 'a panel is not its own neighbour; leave it out' }]
        : [],
    ),
    ...amounts.flatMap(([place, kind, amount]) => {
      if (typeof amount !== 'number' || perUsd === undefined) return [];
      const { least, most } = SENSE_USD[kind];
      if (amount / perUsd >= least && amount / perUsd <= most) return [];
      const [from, to] = [least, most].map((limit) => Number((limit * perUsd).toPrecision(2)));
      const reason = `${amount} ${row.currency} is implausible; ${from} to ${to} is expected`;
      return [{ where: `${where}.${place}`, reason }];
    }),
  ];
}

/** Returns a fault for each row that repeats an earlier one: which of the two holds would be a guess. */
export function listRepeated<T>(rows: readonly T[], nameOf: (row: T) => string, where: string): TableFault[] {
  const names = rows.map(nameOf);
  return names.flatMap((name, i) => {
    const first = names.indexOf(name);
    if (first === i) return [];
    return [{ where: `${where}[${i}]`, reason: `${name} is listed twice, first in [${first}]; keep one` }];
  });
}
