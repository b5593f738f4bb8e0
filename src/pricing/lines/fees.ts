import { toMinor } from '../../domain/money.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { VehiclePanel } from '../vehicle/panel-repair.ts';
import type { EstimateLine } from './line.ts';

/** Returns the flat fees of the region for a job of this kind, each once per vehicle and in the total. */
export function feeLines(
  panels: readonly VehiclePanel[],
  refinishTenths: number,
  ctx: PricingContext,
): readonly Omit<EstimateLine, 'number'>[] {
  const fits = panels.some(({ work }) =>
    work.some((line) => line.operation === 'R&R' || line.operation === 'Sect'),
  );
  const due = { every: panels.length > 0, painted: refinishTenths > 0, replaced: fits };
  return (ctx.region.fees ?? [])
    .filter((fee) => due[fee.on])
    .map((fee) => ({
      id: `${fee.name}/fee`,
      group: 'fee',
      operation: 'Add',
      part: fee.name,
      because: undefined,
      damageIds: [],
      department: 'body',
      hoursTenths: 0,
      fixedMinor: undefined,
      goodsMinor: toMinor(fee.amount * (ctx.fx?.rate ?? 1), ctx.currency),
      goodsType: 'exact',
      partSource: undefined,
      taxClass: 'fee',
      basis: 'table',
      note: 'flat fee of the region',
      source: fee.source,
      counted: 'total',
      frequency: undefined,
      setByPerson: false,
      computed: undefined,
      reason: undefined,
    }));
}
