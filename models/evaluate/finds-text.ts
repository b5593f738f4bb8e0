import { Chalk, type ColorSupportLevel } from 'chalk';
import { renderPlainTable } from '../../src/report/text/plain-table.ts';
import { foldLines } from '../../src/report/text/terminal-lines.ts';
import { formatMeasuredPercent } from './evaluation-table.ts';
import { BOUNDED } from './finds/intervals.ts';
import type { BoundedFinds, FindsAt, FindsReport } from './finds/measure-finds.ts';

const HEAD = [
  '',
  'from',
  'damages found',
  'moderate or worse',
  'damaged photos',
  'precision',
  'clean photos with a find',
] as const;

/** Renders the metrics as text; `title` names the measured data. */
export function renderFindsText(
  title: string,
  report: FindsReport,
  color: ColorSupportLevel,
  columns: number,
): string {
  const chalk = new Chalk({ level: color });
  const { certain, toCheck } = report;
  const row = (name: string, at: FindsAt) => [
    name,
    at.limit.toFixed(3),
    formatMeasuredPercent(at.found),
    formatMeasuredPercent(at.foundModerateOrWorse),
    formatMeasuredPercent(at.damagedPhotosRight),
    formatMeasuredPercent(at.precision),
    formatMeasuredPercent(at.cleanAlarms),
  ];
  const blocks = [
    `${chalk.bold(title)}  ${report.photos} photos: ${certain.damagedPhotos} damaged with ${certain.damages} sure damages (${certain.moderateOrWorseDamages} moderate or worse), ${certain.cleanPhotos} clean`,
    renderPlainTable(
      HEAD,
      [
        row('certain', certain),
        row('with those to check', toCheck),
        ...report.curve.map((at) => row('curve', at)),
      ],
      { color, right: HEAD.slice(1), columns, wrap: HEAD },
    ),
    [
      describeIntervals('certain', certain),
      describeIntervals('with those to check', toCheck),
      describeNames('certain', certain),
      describeNames('with those to check', toCheck),
    ].join('\n'),
    renderVehicles(report, color, columns),
  ];
  return `${foldLines(blocks.filter(Boolean).join('\n\n'), columns)}\n`;
}

/** Describes the shares with their 90 % intervals. */
function describeIntervals(level: string, { intervals }: BoundedFinds): string {
  const names = {
    found: 'found',
    foundModerateOrWorse: 'moderate or worse',
    precision: 'precision',
    cleanAlarms: 'clean photos with a find',
  };
  const ends = BOUNDED.flatMap((share) => {
    const [low, high] = intervals[share] ?? [];
    return low === undefined || high === undefined
      ? []
      : [`${names[share]} ${formatMeasuredPercent(low)} to ${formatMeasuredPercent(high)}`];
  });
  return `${level}, 90 % intervals: ${ends.join(', ')}`;
}

function describeNames(level: string, at: FindsAt): string {
  const names = `kind right ${formatMeasuredPercent(at.kindRight)}, part ${formatMeasuredPercent(at.partRight)} (${formatMeasuredPercent(at.undoubtedPartRight)} where said without doubt), side ${formatMeasuredPercent(at.sideRight)}`;
  return `${level}: ${formatMeasuredPercent(at.foundTightly)} of the damages boxed at IoU 0.5; ${at.right} right finds (${names}), ${at.wrong} wrong, ${at.tooLarge} too large, ${at.unsure} on unsure labels`;
}

function renderVehicles({ vehicles }: FindsReport, color: ColorSupportLevel, columns: number): string {
  if (vehicles.length === 0) return '';
  const head = ['vehicle', 'photos', 'damages', 'certain', 'wrong', 'with to check', 'wrong with to check'];
  const total = (value: (one: FindsReport['vehicles'][number]) => number) =>
    String(vehicles.reduce((sum, one) => sum + value(one), 0));
  const rows = vehicles.map(({ certain, toCheck }) => [
    certain.vehicle,
    ...[certain.photos, certain.damages, certain.found, certain.wrong, toCheck.found, toCheck.wrong].map(
      String,
    ),
  ]);
  const sums = [
    'all',
    total(({ certain }) => certain.photos),
    total(({ certain }) => certain.damages),
    total(({ certain }) => certain.found),
    total(({ certain }) => certain.wrong),
    total(({ toCheck }) => toCheck.found),
    total(({ toCheck }) => toCheck.wrong),
  ];
  return renderPlainTable(head, [...rows, sums], { color, right: head.slice(1), columns, wrap: head });
}
