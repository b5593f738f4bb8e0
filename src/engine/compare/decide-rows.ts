import { VehiError } from '../../lib/errors.ts';
import { type ComparedPlace, type Comparison, type RowDecision, summarize } from './comparison.ts';

/** A decision on a row named by its number, or that of its earlier finding (`B2`). */
export type NamedDecision = readonly [row: string, decision: RowDecision];

/**
 * Applies reviewer decisions, overriding the change that the photos show.
 * @throws VehiError usage for an unknown row, a second decision on a row, or any decision but `was_there` on a row of the
 * earlier visit alone
 */
export function decideRows(comparison: Comparison, decisions: readonly NamedDecision[]): Comparison {
  for (const [row, { decision }] of decisions) {
    const place = comparison.places.find((one) => isRow(one, row));
    if (place?.after || (place && decision === 'was_there')) continue;
    throw new VehiError(
      'usage',
      'INVALID_DECISION',
      place
        ? `row ${row} is not listed in the later inspection, so it cannot be ${decision}.`
        : `there is no row ${row}: ${describeRows(comparison)}.`,
      { field: 'decide', hint: 'vehi compare numbers its rows; --json lists all of them.' },
    );
  }
  const places = comparison.places.map((place): ComparedPlace => {
    const [first, second] = decisions.filter(([row]) => isRow(place, row));
    if (first === undefined) return place;
    if (second !== undefined)
      throw new VehiError('usage', 'INVALID_DECISION', `row ${place.row} has two decisions; one is needed.`, {
        field: 'decide',
        hint: `Leave out the decision on ${first[0]}, or the other on ${second[0]}.`,
      });
    const [, decided] = first;
    const shown = { ...place, decided: { ...decided, instead: place.change } };
    if (decided.decision === 'was_there') return { ...shown, change: 'unchanged' };
    if (decided.decision === 'not_chargeable' || place.change === 'changed') return shown;
    return { ...shown, change: 'new', certain: true };
  });
  return { ...comparison, ...summarize(comparison, places) };
}

const isRow = ({ row, before }: ComparedPlace, given: string) =>
  row === given || (before !== null && `B${before.number}` === given);

function describeRows({ places }: Comparison): string {
  const rows = places.map(({ row }) => row).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return rows.length > 0 ? `the rows are ${rows.join(', ')}` : 'the comparison has no rows';
}
