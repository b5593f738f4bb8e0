import type { PartName } from '../parts.ts';
import file from './hidden-risks.json' with { type: 'json' };

interface HiddenRisk {
  readonly component: string;
  readonly probability: number;
  readonly basis: string;
}

/** Minimum score of visible damage that suggests more behind it. */
const MIN_SERIOUS_SCORE = 5;

/** Lists components that may have hidden damage, each once, by the location of serious visible damage. */
export function listHiddenRisks(
  damages: readonly { readonly part: PartName; readonly severityScore: number }[],
): HiddenRisk[] {
  const serious = damages.filter(({ severityScore }) => severityScore >= MIN_SERIOUS_SCORE);
  const risks = file.ends
    .filter(({ parts }) => serious.some(({ part }) => parts.includes(part)))
    .flatMap(({ basis, frequencies }) =>
      Object.entries(frequencies).map(([component, probability]) => ({ component, probability, basis })),
    );
  return risks.filter((one, at) => risks.findIndex(({ component }) => component === one.component) === at);
}
