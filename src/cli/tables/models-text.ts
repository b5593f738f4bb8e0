import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { foldLines } from '../../report/text/terminal-lines.ts';
import type { DetectModel, Model } from '../../vision/models/manifest.ts';
import type { FileCheck } from '../../vision/models/verify.ts';

/** Renders the models as a table, one row each. */
export function renderModelList(
  models: readonly Model[],
  dir: string,
  colour: ColorSupportLevel,
  columns: number,
): string {
  const chalk = new Chalk({ level: colour });
  const head = ['id', 'name', 'version', 'precision', 'input', 'size', 'licence'];
  const rows = models.map((model) => {
    const precisions = model.variants.map(({ precision }) =>
      precision === model.default_precision && model.variants.length > 1
        ? `${precision} (default)`
        : precision,
    );
    return [
      model.id,
      model.name,
      model.version,
      precisions.join(', '),
      `${model.input.width}x${model.input.height}`,
      model.variants.map(({ bytes }) => formatMegabytes(bytes)).join(', '),
      model.licence,
    ];
  });
  const wrap = ['name', 'precision', 'size', 'licence'];
  return `${renderPlainTable(head, rows, { chalk, columns, wrap })}\n${chalk.dim(dir)}\n`;
}

/** Renders the result of the verification, one line per file. */
export function renderVerification(
  files: readonly FileCheck[],
  dir: string,
  colour: ColorSupportLevel,
  columns: number,
): string {
  const chalk = new Chalk({ level: colour });
  const lines = files.map(({ model, precision, file, sha256, problem }) => {
    const what = `${model} ${precision}  ${file}`;
    if (problem === null) return `${chalk.green('ok')}     ${what}  ${chalk.dim(sha256.slice(0, 12))}`;
    return `${chalk.red('wrong')}  ${what}\n       ${problem.code}: ${problem.message}`;
  });
  const wrong = files.filter(({ problem }) => problem !== null).length;
  const verdict =
    wrong === 0
      ? chalk.green('All files are as the manifest says and load.')
      : chalk.red(
          `${wrong} of ${files.length} files cannot be used: reinstall vehi, or choose another folder with --models DIR.`,
        );
  return `${foldLines(`${lines.join('\n')}\n${verdict}`, columns)}\n${chalk.dim(dir)}\n`;
}

/** Renders the manifest entry of a model. */
export function renderModelInfo(model: Model, colour: ColorSupportLevel, columns: number): string {
  const chalk = new Chalk({ level: colour });
  const blocks = [
    `${chalk.bold(`${model.name} ${model.version}`)}  ${model.id}, ${model.task}, licence ${model.licence}`,
    [
      `Input: ${model.input.width}x${model.input.height} RGB, plainly resized`,
      ...model.variants.map(
        ({ precision, file, bytes, sha256 }) =>
          `${precision}: ${file}, ${formatMegabytes(bytes)}\n  SHA-256 ${sha256}`,
      ),
    ].join('\n'),
    model.id === 'damage' ? renderLimits(model, chalk) : `Labels: ${model.labels.join(', ')}`,
    describeTraining(model, chalk),
    `${chalk.bold('Measured')}\n${describeMeasured(model.measured ?? null)}`,
  ];
  return `${foldLines(blocks.filter(Boolean).join('\n\n'), columns)}\n`;
}

function renderLimits({ labels, limits }: DetectModel, chalk: ChalkInstance): string {
  const head = ['sensitivity', 'certain from', 'to check from'];
  const rows = Object.entries(limits).map(([name, { certain, to_check }]) => [
    name,
    String(certain),
    String(to_check),
  ]);
  return `${renderPlainTable(head, rows, { chalk, right: head.slice(1) })}\n\nLabels: ${labels.join(', ')}`;
}

function describeTraining({ training_data: sources = [] }: Model, chalk: ChalkInstance): string {
  if (sources.length === 0) return '';
  const rows = sources.map(({ source, licence, images }) => `- ${source}: ${images} images, ${licence}`);
  return `${chalk.bold('Trained on')}\n${rows.join('\n')}`;
}

/** Renders figures as nested, indented `name: value` lines without control characters. */
function describeMeasured(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null)
    return `${indent}${value === null ? 'nothing' : String(value)}`;
  return Object.entries(value)
    .map(([name, inner]) =>
      typeof inner === 'object' && inner !== null
        ? `${indent}${name}:\n${describeMeasured(inner, `${indent}  `)}`
        : `${indent}${name}: ${String(inner)}`,
    )
    .join('\n')
    .replace(/[^\P{Cc}\n]/gu, '');
}

function formatMegabytes(bytes: number): string {
  return bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
