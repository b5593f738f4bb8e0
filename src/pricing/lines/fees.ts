import { roundHalfUp, toMinor } from '../../domain/money.ts';
import { toPercent } from '../../lib/round.ts';
import type { Line, PlanPart } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import { type EstimateLine, PLAIN_LINE } from './line.ts';

/** A fee of the region that is due, minor units. */
export interface DueFee {
  readonly name: string;
  readonly amountMinor: number;
  readonly note: string;
  readonly source: string;
}

/** Returns the fees of the region that work of this kind brings, each once per vehicle. */
export function listDueFees(
  work: readonly Pick<Line, 'operation'>[],
  parts: readonly PlanPart[],
  refinishTenths: number,
  ctx: PricingContext,
): readonly DueFee[] {
  const fits = work.some((line) => line.operation === 'R&R' || line.operation === 'Sect');
  const due = { every: work.length > 0 || refinishTenths > 0, painted: refinishTenths > 0, replaced: fits };
  const partsMinor = parts.reduce(
    (sum, { source, priceMinor }) => (BOUGHT.includes(source) ? sum + priceMinor : sum),
    0,
  );
  return (ctx.region.fees ?? [])
    .filter((fee) => due[fee.on])
    .map(({ name, amount, share_of_parts: share, source }) => ({
      name,
      amountMinor:
        toMinor(amount * (ctx.fx?.rate ?? 1), ctx.currency) + roundHalfUp((share ?? 0) * partsMinor),
      note: share === undefined ? 'flat fee of the region' : `${toPercent(share)} % of the parts`,
      source,
    }));
}

const BOUGHT: readonly PlanPart['source'][] = ['oem', 'aftermarket', 'recycled'];

/** Returns the lines of the fees that are due, in the total. */
export function makeFeeLines(fees: readonly DueFee[]): readonly Omit<EstimateLine, 'number'>[] {
  return fees.map((fee) => ({
    ...PLAIN_LINE,
    id: `${fee.name}/fee`,
    group: 'fee',
    operation: 'Add',
    part: fee.name,
    department: 'body',
    hoursTenths: 0,
    goodsMinor: fee.amountMinor,
    taxClass: 'fee',
    basis: 'table',
    note: fee.note,
    source: fee.source,
  }));
}
