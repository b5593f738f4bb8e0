import { VehiError } from '../../lib/errors.ts';
import { compareTexts } from '../../lib/names.ts';
import { type ComparedPlace, type Comparison, type RowDecision, summarize } from './comparison.ts';

/**
 * Applies reviewer decisions on rows named by their number, or that of their earlier finding (`B2`), overriding the
 * change that the photos show.
 * @throws VehiError usage for an unknown row, a second decision on a row, or any but `was_there` on one of the earlier
 * visit alone
 */
export function decideRows(
  comparison: Comparison,
  decisions: readonly (readonly [row: string, decision: RowDecision])[],
): Comparison {
  for (const [row, { decision }] of decisions) {
    const place = comparison.places.find((one) => isRow(one, row));
    if (!place) throw makeError(`there is no row ${row}: ${describeRows(comparison)}.`);
    if (!place.after && decision !== 'was_there')
      throw makeError(`row ${row} is not listed in the later inspection, so it cannot be ${decision}.`);
  }
  const places = comparison.places.map((place): ComparedPlace => {
    const [decided, other] = decisions.flatMap(([row, one]) => (isRow(place, row) ? [one] : []));
    if (!decided) return place;
    if (other) throw makeError(`row ${place.row} has two decisions; one is needed.`);
    const shown = { ...place, decided: { ...decided, instead: place.change } };
    if (decided.decision === 'was_there') return { ...shown, change: 'unchanged' };
    if (decided.decision === 'not_chargeable') return shown;
    return { ...shown, change: 'new', certain: true };
  });
  return { ...comparison, ...summarize(comparison, places) };
}

const isRow = ({ row, before }: ComparedPlace, given: string) =>
  row === given || (before !== null && `B${before.number}` === given);

const makeError = (message: string) =>
  new VehiError('usage', 'INVALID_DECISION', message, {
    field: 'decide',
    hint: 'vehi compare numbers its rows; --json lists all of them.',
  });

function describeRows({ places }: Comparison): string {
  const rows = places.map(({ row }) => row).sort((a, b) => a.length - b.length || compareTexts(a, b));
  return rows.length > 0 ? `the rows are ${rows.join(', ')}` : 'the comparison has no rows';
}
