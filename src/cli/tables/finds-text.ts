import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import type { FindsAt, FindsReport } from '../../evaluate/finds/measure-finds.ts';
import { folded } from '../terminal/wrapped.ts';
import { measuredPercent } from './measured-figures.ts';
import { plainTable } from './plain-table.ts';

const HEAD = [
  '',
  'from',
  'damages found',
  'moderate or worse',
  'damaged photos',
  'precision',
  'clean photos with a find',
] as const;

/** Renders the figures of `vehi models eval --finds` for people; `title` names what was measured. */
export function findsText(
  title: string,
  report: FindsReport,
  colour: ColorSupportLevel,
  columns: number,
): string {
  const chalk = new Chalk({ level: colour });
  const { certain, toCheck } = report;
  const row = (name: string, at: FindsAt) => [
    name,
    at.limit.toFixed(3),
    measuredPercent(at.found),
    measuredPercent(at.foundModerateOrWorse),
    measuredPercent(at.damagedPhotosRight),
    measuredPercent(at.precision),
    measuredPercent(at.cleanAlarms),
  ];
  const blocks = [
    `${chalk.bold(title)}  ${report.photos} photos: ${certain.damagedPhotos} damaged with ${certain.damages} sure damages (${certain.moderateOrWorseDamages} moderate or worse), ${certain.cleanPhotos} clean`,
    plainTable(
      HEAD,
      [
        row('certain', certain),
        row('with those to check', toCheck),
        ...report.curve.map((at) => row('curve', at)),
      ],
      { chalk, right: HEAD.slice(1), columns, wrap: HEAD },
    ),
    [namesText('certain', certain), namesText('with those to check', toCheck)].join('\n'),
    vehiclesText(report, chalk, columns),
  ];
  return `${folded(blocks.filter(Boolean).join('\n\n'), columns)}\n`;
}

function namesText(level: string, at: FindsAt): string {
  const names = `kind right ${measuredPercent(at.kindRight)}, part ${measuredPercent(at.partRight)} (${measuredPercent(at.undoubtedPartRight)} where said without doubt), side ${measuredPercent(at.sideRight)}`;
  return `${level}: ${at.right} right finds (${names}), ${at.wrong} wrong, ${at.tooLarge} too large, ${at.unsure} on unsure labels`;
}

function vehiclesText({ vehicles }: FindsReport, chalk: ChalkInstance, columns: number): string {
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
  return plainTable(head, [...rows, sums], { chalk, right: head.slice(1), columns, wrap: head });
}
