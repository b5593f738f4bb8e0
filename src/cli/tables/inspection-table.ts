import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import type {
  InspectionEnvelope,
  InspectionResults,
  Photo,
  VisualInspection,
} from '../../contract/inspection.ts';
import { escapeName } from '../../lib/display-name.ts';
import { listClaimWarnings } from '../../report/facts.ts';
import { describeConversion, formatPercent, formatWholeMoney, readFileName } from '../../report/figures.ts';
import {
  describeBasis,
  describeFailure,
  describeGradeSpan,
  describeInspectionScope,
  describePriceIfConfirmed,
  describeRepairPrice,
  describeVerdict,
  isMixed,
  readGrade,
} from '../../report/headline.ts';
import { describeNextPhotos } from '../../report/next-photos.ts';
import { groupIssues, listOtherNotAssessed } from '../../report/photo-issues.ts';
import { selectWarnings } from '../../report/warnings.ts';
import { countLessCertainFinds, describeSubject } from '../../report/words.ts';
import { foldLines, wrapText } from '../terminal/wrapped.ts';
import { renderFindsTable } from './finds-table.ts';

interface TableOptions {
  readonly colour: ColorSupportLevel;
  /** Width of the terminal in columns. */
  readonly columns: number;
  readonly quiet: boolean;
  /** Also codes, and the figures that photos were judged by. */
  readonly verbose?: boolean | undefined;
}

/** Renders the result for people: a summary, damages, places to check, what to photograph next, what was not judged. */
export function renderInspectionTable(envelope: InspectionEnvelope, options: TableOptions): string {
  const chalk = new Chalk({ level: options.colour });
  const { data } = envelope;
  const { results } = data;
  const blocks = [
    results ? renderSummary(envelope, results, chalk, options) : renderNoResults(data, chalk, options),
    ...(results ? [...findBlocks(results, chalk, options), findNotes(data, results, chalk, options)] : []),
    ...(options.quiet
      ? []
      : [renderNextPhotos(data, chalk, options), renderVehicleGroups(data, chalk, options)]),
    ...(options.quiet ? [] : [renderPhotoNotes(data, chalk, options), renderNotJudged(data, chalk, options)]),
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

function renderNoResults(data: VisualInspection, chalk: ChalkInstance, options: TableOptions): string {
  const code = options.verbose && data.failure ? chalk.dim(`  ${data.failure.code}`) : '';
  return `${chalk.bold(data.vehicle_id)}  ${chalk.red.bold('no grade')}\n${wrapText(describeFailure(data) ?? '', options.columns)}${code}`;
}

function renderSummary(
  { data, meta }: InspectionEnvelope,
  results: InspectionResults,
  chalk: ChalkInstance,
  { columns }: TableOptions,
): string {
  const paint = choosePaint(results, chalk);
  const confidence = chalk.dim(`confidence ${formatPercent(results.confidence)}`);
  const partial = data.partial ? chalk.yellow('  partial: interrupted') : '';
  const inspection = { status: 'success', data, meta } as const;
  const prices = [describeRepairPrice({ inspection, assessment: null }), describePriceIfConfirmed(data)];
  const span = describeGradeSpan(results);
  const doubts = listClaimWarnings({ inspection, assessment: null });
  return [
    foldLines(
      `${chalk.bold(data.vehicle_id)}  ${paint.bold(describeVerdict(results))}  ${confidence}${partial}`,
      columns,
    ),
    ...(span === null ? [] : [chalk.bold(wrapText(span, columns))]),
    wrapText(describeBasis(results), columns),
    ...prices.flatMap((price) => (price ? [formatPriceLine(price, chalk, columns)] : [])),
    ...(prices.some(Boolean) ? [chalk.dim(describeRates(data, meta))] : []),
    ...doubts.map((doubt) => chalk.yellow(wrapText(doubt, columns))),
  ].join('\n');
}

/** Returns a price with what it is of; the amount and its range stay on one line. */
function formatPriceLine(
  { label, amount }: { readonly label: string; readonly amount: string },
  chalk: ChalkInstance,
  columns: number,
): string {
  return wrapText(`${label}: ${chalk.bold(amount.replaceAll(' ', '\u00A0'))}`, columns);
}

/** Returns what belongs to the lists of finds: what their prices include, and how many finds are not listed. */
function findNotes(
  data: VisualInspection,
  results: InspectionResults,
  chalk: ChalkInstance,
  { columns }: TableOptions,
): string {
  const scope = describeInspectionScope(data);
  const unlisted = results.dropped_detections.below_confidence;
  const notes = [
    ...(scope === null ? [] : [scope]),
    ...(unlisted > 0 ? [`${describeUnlisted(data, unlisted)}.`] : []),
  ];
  return notes.map((note) => chalk.dim(wrapText(note, columns))).join('\n');
}

/**
 * Returns the colour of the verdict: green only where nothing is open, by the worst the grade may become; red where it
 * mixes vehicles.
 */
function choosePaint(results: InspectionResults, chalk: ChalkInstance): ChalkInstance {
  const grade = readGrade(results);
  if (!grade || grade.score < 5 || isMixed(results)) return chalk.red;
  return (grade.confirmed ?? grade.score) < 7 ? chalk.yellow : chalk.green;
}

/** Finds that are listed nowhere, and what would list them where anything would. */
function describeUnlisted({ settings }: VisualInspection, count: number): string {
  const said = `${countLessCertainFinds(count)} not listed`;
  if (settings.min_confidence !== null) return `${said}: a lower --min-confidence lists more`;
  return settings.sensitivity === 'high'
    ? `${said}: --min-confidence P lists all at or above P`
    : `${said}: --sensitivity high lists more`;
}

/** Returns the region and rate; a service that was asked for a result later does not repeat the rate. */
function describeRates(data: VisualInspection, meta: InspectionEnvelope['meta']): string {
  const region = data.region?.name ?? meta.region ?? '';
  const converted = describeConversion(meta);
  return [
    Number.isFinite(meta.labor_rate_used)
      ? `${region}, ${formatWholeMoney(meta.labor_rate_used, meta.currency)} an hour`
      : region,
    ...(converted === undefined ? [] : [`Converted: ${converted}`]),
  ].join('\n');
}

function findBlocks(
  { damages, to_check: toCheck }: InspectionResults,
  chalk: ChalkInstance,
  { columns }: TableOptions,
) {
  const titled = (title: string, note: string, finds: typeof damages) =>
    finds.length === 0
      ? ''
      : `${chalk.bold(title)}${chalk.dim(note)}\n${renderFindsTable(finds, chalk, columns)}`;
  return [
    titled('Damage', '', damages),
    titled('To check', '  possible damage, in no sum and no grade', toCheck),
  ];
}

function renderNextPhotos(
  { results }: VisualInspection,
  chalk: ChalkInstance,
  { columns }: TableOptions,
): string {
  const next = describeNextPhotos(results?.next_photos ?? []);
  const indent = Math.max(0, ...next.map(({ order }) => order.length)) + 4;
  const lines = next.map(({ order, words }) =>
    wrapText(`${order.padEnd(indent - 4)}  ${words}`, columns, 2, indent),
  );
  return lines.length > 0 ? `${chalk.bold('Photograph next')}\n${lines.join('\n')}` : '';
}

/** Returns the photos of each vehicle, where they seem to show several. */
function renderVehicleGroups(
  { vehicle_groups: groups, images }: VisualInspection,
  chalk: ChalkInstance,
  { columns }: TableOptions,
): string {
  if (groups.length === 0) return '';
  const lines = groups.map(({ group, colour, image_urls: urls }) =>
    wrapText(
      `vehicle ${group}, ${colour}: ${urls.map((url) => nameAmong(url, images)).join(', ')}`,
      columns,
      2,
      4,
    ),
  );
  const title = chalk.yellow.bold('More than one vehicle?');
  return [`${title}${chalk.dim('  a folder for each, then --per-folder')}`, ...lines].join('\n');
}

/** Describes what is wrong with photos; the same fault of several photos is one line. */
function renderPhotoNotes(
  data: VisualInspection,
  chalk: ChalkInstance,
  { columns, verbose }: TableOptions,
): string {
  const lines = groupIssues(data.images).map(({ photos, code, message, found, limit }) => {
    const figures = verbose ? ` (${code} ${found}, limit ${limit})` : '';
    const names = listNames(
      photos.map(({ url }) => url),
      data.images,
    );
    return wrapText(`${names}: ${message}${figures}`, columns, 2);
  });
  return lines.length ? `${chalk.bold('Photos to retake or treat with caution')}\n${lines.join('\n')}` : '';
}

/** Photos named in one line at most: those to retake are to be known. */
const MOST_NAMES = 8;

/** Names photos; of very many the first ones. */
function listNames(urls: readonly string[], images: readonly Photo[]): string {
  if (urls.length === images.length && urls.length > 3) return `all ${urls.length} photos`;
  const names = urls.map((url) => nameAmong(url, images));
  if (names.length <= MOST_NAMES) return names.join(', ');
  const shown = names.slice(0, MOST_NAMES - 1);
  return `${shown.join(', ')} and ${names.length - shown.length} more`;
}

/** Returns the name of a photo without its folder, where no photo of another folder has it too. */
function nameAmong(url: string, images: readonly Photo[]): string {
  const name = readFileName(url);
  return escapeName(
    images.some((other) => other.url !== url && readFileName(other.url) === name) ? url : name,
  );
}

function renderNotJudged(
  data: VisualInspection,
  chalk: ChalkInstance,
  { columns, verbose }: TableOptions,
): string {
  const code = (word: string) => (verbose ? `${word}: ` : '');
  const notes = [
    ...listOtherNotAssessed(data.results?.not_assessed ?? [], data.images).map(
      ({ what, reason }) =>
        `${data.images.some(({ url }) => url === what) ? nameAmong(what, data.images) : describeSubject(what)}: ${reason}`,
    ),
    ...selectWarnings(data).map((warning) => `${code(warning.code)}${warning.message}`),
  ];
  const lines = notes.map((note) => wrapText(note, columns, 2));
  return lines.length ? `${chalk.bold('Not judged')}\n${chalk.dim(lines.join('\n'))}` : '';
}
