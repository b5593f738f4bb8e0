import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import stringWidth from 'string-width';
import type { Change } from '../../domain/compare/changes.ts';
import { type ComparedPlace, type Comparison, pickFinding } from '../../engine/compare/comparison.ts';
import { compact } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import { listCaveats } from '../compare/caveats.ts';
import {
  describeComparedPlace,
  describeCounts,
  describeExtentAndCost,
  describeGradeChange,
  describeKnown,
  describeToRepeat,
  describeUnchanged,
  formatVisits,
  sayNothingListed,
} from '../compare/comparison-words.ts';
import { explainPlace } from '../compare/explain-place.ts';
import { isToPhotograph, listToRepeat } from '../compare/select-places.ts';
import { humanize } from '../words.ts';
import { wrapText } from './terminal-lines.ts';

const COLOR: Partial<Record<Change, 'red' | 'yellow' | 'green'>> = {
  new: 'red',
  changed: 'yellow',
  repaired: 'green',
};

/** Maximum lines of the table at 80 columns, unless caveats alone take most of them. */
const MAX_LINES = 20;
/** Minimum lines left for a group after the preceding ones: two rows and the count of the others. */
const MIN_GROUP_LINES = 3;

/** Renders the comparison for a terminal, readable without color: changes first, the photos to repeat last. */
export function renderComparisonTable(
  comparison: Comparison,
  color: ColorSupportLevel,
  columns: number,
): string {
  const { places } = comparison;
  const chalk = new Chalk({ level: color });
  const caveats = listCaveats(comparison).map((one) => chalk.yellow(wrapText(escapeName(one), columns)));
  const known = describeKnown(comparison);
  const head = compact([
    ...renderHead(comparison, columns),
    ...caveats,
    known && wrapText(known, columns, 0, 2),
  ]);
  if (places.length === 0) return [...head, sayNothingListed(), ''].join('\n');
  const unchanged = wrapText(describeUnchanged(comparison), columns, 0, 2);
  const grade = compact([describeGradeChange(comparison)]);
  const listed = (...changes: readonly Change[]) => places.filter(({ change }) => changes.includes(change));
  const changed = listed('new', 'changed', 'repaired');
  const line = (place: ComparedPlace) =>
    cutLine(nameRow(place, describeComparedPlace(place), chalk), columns);
  const explain = (place: ComparedPlace) => wrapText(escapeName(explainPlace(place, comparison)), columns, 2);
  const doubtful = listed('cannot_tell', 'not_photographed', 'unchanged')
    .filter((place) => place.decided ?? (place.change !== 'unchanged' && !isToPhotograph(place)))
    .map((place) => (place.decided ? `${line(place)}\n${explain(place)}` : line(place)));
  const repeat = wrapRepeat(comparison, columns);
  const room = MAX_LINES - countLines([...head, unchanged, ...grade]);
  const reserve = (...groups: readonly (readonly string[])[]) =>
    groups.reduce((sum, group) => sum + Math.min(countLines(group), MIN_GROUP_LINES), 0);
  const whole = changed.map((place) => {
    const finding = describeExtentAndCost(pickFinding(place), comparison[place.after ? 'after' : 'before']);
    const title = nameRow(place, `${describeComparedPlace(place)}, ${finding}`, chalk);
    return `${wrapText(title, columns, 0, 2)}\n${explain(place)}`;
  });
  const changedRoom = room - reserve(doubtful, repeat);
  const changedLines = limitLines(countLines(whole) <= changedRoom ? whole : changed.map(line), changedRoom);
  const doubtfulLines = limitLines(doubtful, room - countLines(changedLines) - reserve(repeat));
  return [...head, ...changedLines, ...doubtfulLines, unchanged, ...repeat, ...grade, ''].join('\n');
}

/** Names as many photos to repeat as fit into the lines of a group; empty if there are none. */
function wrapRepeat(comparison: Comparison, columns: number): string[] {
  const count = listToRepeat(comparison).length;
  return [...Array(count).keys()]
    .map((more) => wrapText(escapeName(describeToRepeat(comparison, count - more)), columns, 0, 2))
    .filter((text, at) => at === count - 1 || countLines([text]) <= MIN_GROUP_LINES)
    .slice(0, 1);
}

/** Formats vehicle, dates and counts, on two lines if they do not fit on one. */
function renderHead(comparison: Comparison, columns: number): string[] {
  const visits = `${escapeName(comparison.after.data.vehicle_id)}  ${formatVisits(comparison)}`;
  const counts = describeCounts(comparison);
  const line = `${visits}  ${counts}`;
  return stringWidth(line) <= columns ? [line] : [wrapText(visits, columns), wrapText(counts, columns)];
}

const countLines = (texts: readonly string[]) => texts.flatMap((text) => text.split('\n')).length;

/** Returns the entries that fit into `room` lines; the last line counts the others. */
function limitLines(entries: readonly string[], room: number): readonly string[] {
  if (countLines(entries) <= room) return entries;
  const count = entries.findIndex((_, at) => countLines(entries.slice(0, at + 1)) > room - 1);
  return [...entries.slice(0, count), `and ${entries.length - count} more: vehi compare -o html=FILE`];
}

/** Cuts a line without line breaks to the width of the terminal. */
function cutLine(text: string, columns: number): string {
  const [first = '', ...rest] = wrapText(text, columns - 2).split('\n');
  return rest.length > 0 ? `${first} …` : first;
}

function nameRow({ row, change }: ComparedPlace, title: string, chalk: ChalkInstance): string {
  const word = humanize(change).toUpperCase();
  const paint = COLOR[change];
  return `${row} ${paint ? chalk[paint](word) : word}  ${title}`;
}
