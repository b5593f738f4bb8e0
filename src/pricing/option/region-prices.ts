import { removePosition } from '../../domain/parts.ts';
import type { PricingContext } from '../pricing-context.ts';

/** Returns true if the name in a table row matches this part: its own name, or that name without the side or corner. */
export const matchesPart = (rowPart: string, part: string): boolean =>
  rowPart === part || rowPart === removePosition(part);

/**
 * Returns the region's own price of a new part: a row for the vehicle's class takes precedence over a row for all
 * classes, then a row for one side over a row for both.
 */
export function findOwnPrice(name: string, { region, vehicleClass }: PricingContext) {
  const matches = (region.prices ?? [])
    .filter(({ part }) => matchesPart(part, name))
    .toSorted((a, b) => Number(b.part === name) - Number(a.part === name));
  return matches.find((one) => one.class === vehicleClass) ?? matches.find((one) => one.class === undefined);
}

/** Returns the region's price of a sublet relative to the US price. */
export function findSubletLevel(part: string, { region }: PricingContext): number {
  const { scan = 1, calibration = 1, sublet = 1 } = region.price_level ?? {};
  if (part.endsWith('_calibration')) return calibration;
  return part.startsWith('scan_') ? scan : sublet;
}
