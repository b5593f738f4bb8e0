import { Chalk, type ChalkInstance } from 'chalk';
import type { Damage, InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import { fileName, judgedSizeCm, moneyRange, percent, wholeMoney } from '../../report/figures.ts';
import { damageWords, lessCertainFinds, partWords } from '../../report/words.ts';
import { plainTable } from './plain-table.ts';
import { SEVERITY_PAINT } from './severity-paint.ts';

export interface TableOptions {
  readonly colour: 0 | 1 | 2 | 3;
  /** Width of the terminal in columns. */
  readonly columns: number;
  readonly quiet: boolean;
}

/** The result as people read it: a summary, the damages, what was wrong with photos, what was not judged. */
export function inspectionTable(envelope: InspectionEnvelope, options: TableOptions): string {
  const chalk = new Chalk({ level: options.colour });
  const { data } = envelope;
  const { results } = data;
  if (!results) return '';
  const blocks = [summary(envelope, chalk)];
  if (results.damages.length > 0) blocks.push(damageTable(results.damages, chalk, options.columns));
  if (!options.quiet) {
    blocks.push(photoNotes(data, chalk), notJudged(data, chalk));
  }
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

function summary({ data, meta }: InspectionEnvelope, chalk: ChalkInstance): string {
  const results = data.results;
  if (!results) return '';
  const { damage_summary: sums } = results;
  const count = sums.total_damages;
  const grades = Object.entries(sums.by_severity)
    .filter(([, n]) => n > 0)
    .reverse()
    .map(([severity, n]) => `${n} ${severity}`)
    .join(', ');
  const paint =
    results.condition_score >= 7 ? chalk.green : results.condition_score >= 5 ? chalk.yellow : chalk.red;
  const lines = [
    `${chalk.bold(data.vehicle_id)}  ${paint.bold(`${results.overall_condition} ${results.condition_score.toFixed(1)}/10`)}` +
      `  ${chalk.dim(`confidence ${percent(results.confidence)}`)}${data.partial ? chalk.yellow('  partial: interrupted') : ''}`,
    count === 0
      ? `No damage found in ${photos(meta.images_processed)}.`
      : `${count} damage${count === 1 ? '' : 's'} (${grades}) in ${photos(meta.images_processed)}`,
  ];
  if (count > 0) {
    const { min, max, currency } = sums.total_estimated_repair;
    lines.push(
      `Repair ${chalk.bold(moneyRange(min, max, currency))}  ${chalk.dim(ratesText(data, meta, currency))}`,
    );
  }
  const unlisted = results.dropped_detections.below_confidence;
  if (unlisted > 0) {
    const hint = '--sensitivity high or a lower --min-confidence shows them';
    lines.push(chalk.dim(`${lessCertainFinds(unlisted)} not listed: ${hint}`));
  }
  return lines.join('\n');
}

/** Region and rate; a service that was asked for a result later does not repeat the rate. */
function ratesText(data: VisualInspection, meta: InspectionEnvelope['meta'], currency: string): string {
  const region = meta.region ?? data.region?.code ?? '';
  return Number.isFinite(meta.labor_rate_used)
    ? `${region}, ${wholeMoney(meta.labor_rate_used, currency)} an hour`
    : region;
}

function damageTable(damages: readonly Damage[], chalk: ChalkInstance, columns: number): string {
  // Narrow terminals lose what can be read elsewhere first: the photo, then the side.
  const wide = columns >= 110;
  const middling = columns >= 84;
  const head = [
    '#',
    'part',
    ...(middling ? ['side'] : []),
    'type',
    'severity',
    'size',
    'conf',
    'cost',
    ...(wide ? ['photo'] : []),
  ];
  const rows = damages.map((damage) => {
    const more = damage.evidence.length > 1 ? ` +${damage.evidence.length - 1}` : '';
    return [
      String(damage.number),
      `${partWords(damage.location.part)}${damage.detail?.startsWith('part uncertain') ? ' (?)' : ''}`,
      ...(middling ? [damage.location.side] : []),
      damageWords(damage.type, damage.subtype).toLowerCase(),
      SEVERITY_PAINT[damage.severity](chalk)(damage.severity),
      extentText(damage),
      percent(damage.confidence),
      moneyRange(damage.estimated_repair.min, damage.estimated_repair.max, damage.estimated_repair.currency),
      ...(wide ? [`${fileName(damage.image_url)}${more}`] : []),
    ];
  });
  return plainTable(head, rows, { chalk, right: ['#', 'size', 'conf', 'cost'] });
}

/** Longest extent: measured where --detailed was given, else what the severity rule went by, marked `~`. */
function extentText(damage: Damage): string {
  const measured = damage.measurements;
  const cm = measured ? (measured.diameter ?? measured.length) : judgedSizeCm(damage.explain);
  return cm === undefined ? '–' : `${measured ? '' : '~'}${cm < 10 ? cm.toFixed(1) : Math.round(cm)} cm`;
}

/** What is wrong with photos; what is wrong with several in the same words is one line. */
function photoNotes(data: VisualInspection, chalk: ChalkInstance): string {
  const photosByNote = new Map<string, string[]>();
  for (const photo of data.images) {
    for (const issue of photo.issues) {
      const note = `${issue.message} ${chalk.dim(`(${issue.code} ${issue.value}, limit ${issue.limit})`)}`;
      photosByNote.set(note, [...(photosByNote.get(note) ?? []), photo.url]);
    }
  }
  const lines = [...photosByNote].map(([note, urls]) => `  ${namesOf(urls, data.images.length)}: ${note}`);
  return lines.length ? `${chalk.bold('Photos to retake or treat with caution')}\n${lines.join('\n')}` : '';
}

/** Up to three photos are named, of more the first two; a folder once. */
function namesOf([first = '', ...others]: readonly string[], photosInAll: number): string {
  const count = others.length + 1;
  if (count === photosInAll && photosInAll > 3) return `all ${photosInAll} photos`;
  const folder = first.slice(0, first.length - fileName(first).length);
  const short = others.map((url) => (url === folder + fileName(url) ? fileName(url) : url));
  if (count <= 3) return [first, ...short].join(', ');
  return `${first}, ${short[0]} and ${count - 2} more`;
}

function notJudged(data: VisualInspection, chalk: ChalkInstance): string {
  const lines = (data.results?.not_assessed ?? []).map((item) => `  ${item.what}: ${item.reason}`);
  lines.push(...data.warnings.map((warning) => `  ${warning.code}: ${warning.message}`));
  return lines.length ? `${chalk.bold('Not judged')}\n${chalk.dim(lines.join('\n'))}` : '';
}

function photos(count: number): string {
  return `${count} photo${count === 1 ? '' : 's'}`;
}
