import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import type { Change } from '../../domain/judge/compare.ts';
import { listChangedVerdicts } from '../../engine/compare/by-standard.ts';
import type { ComparedPlace, Comparison } from '../../engine/compare/comparison.ts';
import {
  CHANGE_WORDS,
  describeCounts,
  describeFinding,
  describeGrade,
  describeUnchanged,
  explainPlace,
  findShown,
  listCautions,
  listToPhotograph,
  NOTHING_LISTED,
  namePlace,
  nameVisits,
} from '../../report/compare/comparison-words.ts';
import { describePlaceVerdict, describeVerdicts } from '../../report/compare/standard-words.ts';
import { wrapText } from '../../report/text/terminal-lines.ts';

const COLOUR: Partial<Record<Change, 'red' | 'yellow' | 'green'>> = {
  new: 'red',
  perhaps_new: 'yellow',
  worse: 'yellow',
  repaired: 'green',
};

/** Locations listed per group; the others are counted. */
const MAX_LISTED = 8;

/**
 * Renders the comparison for a terminal: changes with their evidence, the number of unchanged locations, then the
 * photos to take. Readable without colour.
 */
export function renderComparisonTable(
  comparison: Comparison,
  colour: ColorSupportLevel,
  columns: number,
): string {
  const { after, places, verdicts } = comparison;
  const chalk = new Chalk({ level: colour });
  const visits = nameVisits(comparison);
  const days = `${visits.before} → ${visits.after}`;
  const head = wrapText(`${after.data.vehicle_id}  ${days}  ${describeCounts(comparison)}`, columns);
  const cautions = listCautions(comparison).map((one) => chalk.yellow(wrapText(one, columns)));
  if (places.length === 0) return [head, ...cautions, NOTHING_LISTED, ''].join('\n');
  const listed = (...changes: readonly Change[]) =>
    renderPlaces(
      places.filter(
        ({ change, rule, decided }) =>
          changes.includes(change) && (decided || (change !== 'unchanged' && rule !== 'no_same_view')),
      ),
      comparison,
      chalk,
      columns,
    );
  const grade = describeGrade(comparison);
  const photograph = listToPhotograph(comparison);
  const toPhotograph =
    photograph.length === 0
      ? []
      : [
          'Not comparable: photograph for it',
          ...photograph
            .slice(0, MAX_LISTED)
            .map(({ part, like, listed: what }) =>
              wrapText(`${part}, as in ${like}: ${what}`, columns, 2, 4),
            ),
          ...(photograph.length > MAX_LISTED ? [`  and ${photograph.length - MAX_LISTED} more parts`] : []),
        ];
  return [
    head,
    ...(verdicts
      ? [
          wrapText(
            `By ${verdicts.standard.name}: ${describeVerdicts(listChangedVerdicts(comparison))}`,
            columns,
          ),
        ]
      : []),
    ...cautions,
    ...listed('new', 'worse', 'repaired'),
    ...listed('perhaps_new', 'perhaps_repaired', 'cannot_tell', 'unchanged'),
    wrapText(describeUnchanged(comparison), columns, 0, 2),
    ...toPhotograph,
    ...(grade ? [grade] : []),
    '',
  ].join('\n');
}

function renderPlaces(
  places: readonly ComparedPlace[],
  comparison: Comparison,
  chalk: ChalkInstance,
  columns: number,
): string[] {
  return [
    ...places.slice(0, MAX_LISTED).flatMap((place) => {
      const finding = findShown(place);
      const word = CHANGE_WORDS[place.change].toUpperCase();
      const paint = COLOUR[place.change];
      const title = `${namePlace(place)}, ${describeFinding(finding, comparison[place.after ? 'after' : 'before'])}`;
      const line = wrapText(`${place.row} ${word}  ${title}`, columns);
      return [
        paint ? line.replace(word, chalk[paint](word)) : line,
        wrapText(explainPlace(place, comparison), columns, 2),
        ...[describePlaceVerdict(place, comparison) ?? []].flat().map((one) => wrapText(one, columns, 2)),
      ];
    }),
    ...(places.length > MAX_LISTED
      ? [`and ${places.length - MAX_LISTED} more: see the JSON or the PDF`]
      : []),
  ];
}
