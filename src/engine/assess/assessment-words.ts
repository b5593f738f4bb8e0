import { toPercent } from '../../lib/numbers.ts';
import { type Approach, REASONS, REPAIR_METHODS, type Reason } from '../../pricing/option/repair-plan.ts';
import type { Tables } from '../../pricing/tables/load.ts';

const SOURCE_WORDS = { aftermarket: 'an aftermarket part', recycled: 'a recycled part' } as const;

/** Describes a repair option, a sentence for each of its methods. */
export function describeOption({ methods, source }: Approach): string {
  const words = methods.map((method) => REPAIR_METHODS[method]).join(' ');
  return source === undefined ? words : `${words.slice(0, -1)}, with ${SOURCE_WORDS[source]}.`;
}

/** Writes the sentence of each reason against an option. */
export const listReasonWords = ({
  replace_rule,
}: Tables['operations']): Readonly<Record<Reason, string>> => ({
  ...REASONS,
  repair_near_replacement_cost: `The repair costs ${toPercent(replace_rule.near_share)} % of this or more: ask whether a new part is worth the rest.`,
});
