import { extname } from 'node:path';
import type { Severity } from '../../domain/damage.ts';
import { VehiError } from '../../lib/errors.ts';
import { FORMAT_NAMES, FORMATTERS, isFormatName } from '../../report/formats/index.ts';
import type { ReportInput } from '../../report/input.ts';
import { assessmentTable } from '../tables/assessment-table.ts';
import { inspectionTable } from '../tables/inspection-table.ts';
import { BY_EXTENSION } from './report-kinds.ts';

/** What `--format` and `--output KIND=FILE` can name for an inspection. */
export const TEXT_KINDS = ['table', 'json', ...FORMAT_NAMES] as const;
export type OutputKind = (typeof TEXT_KINDS)[number];

/** Kinds that only go to files. */
export const DOCUMENT_KINDS = ['pdf', 'html'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
/** What `--output` of an inspection can name. */
export const OUTPUT_KINDS = [...TEXT_KINDS, ...DOCUMENT_KINDS] as const;

export interface Output<K extends string = OutputKind | DocumentKind> {
  readonly kind: K;
  readonly path: string;
}

export interface View {
  readonly colour: 0 | 1 | 2 | 3;
  readonly columns: number;
  readonly quiet: boolean;
  readonly failOn: Severity | 'none';
}

/** A kind by its name. @throws VehiError usage for another. */
export function printable(name: string): OutputKind {
  const kind = TEXT_KINDS.find((known) => known === name);
  if (kind) return kind;
  throw new VehiError(
    'usage',
    'INVALID_REQUEST',
    `--format is "${name}"; one of ${TEXT_KINDS.join(', ')} is needed.`,
  );
}

/**
 * `KIND=FILE`, or just `FILE`: the kind its ending says (`.pdf`, `.csv` …), else JSON.
 * @throws VehiError usage where a file name is missing
 */
export function parseOutputs<K extends string = OutputKind>(
  values: readonly string[],
  kinds: readonly K[] = TEXT_KINDS as readonly string[] as readonly K[],
): readonly Output<K>[] {
  const known = (name: string | undefined) => kinds.find((kind) => kind === name);
  return values.map((value) => {
    const at = value.indexOf('=');
    const kind = known(at < 0 ? value : value.slice(0, at));
    const path = kind ? value.slice(at + 1) : value;
    if (kind && at >= 0 && path !== '') return { kind, path };
    const implied = known(BY_EXTENSION[extname(value).toLowerCase()]) ?? known('json');
    if (value !== '' && !kind && implied) return { kind: implied, path: value };
    throw new VehiError('usage', 'INVALID_REQUEST', `--output ${value}: a file name is missing.`, {
      hint: 'For example --output result.json or --output csv=damages.csv',
    });
  });
}

/** The text of an inspection (and its assessment, where there is one) in one kind; ends with a line break. */
export function renderInspection(
  { inspection, assessment }: ReportInput,
  kind: OutputKind,
  view: View,
): string {
  if (isFormatName(kind)) return FORMATTERS[kind]({ inspection, assessment }, { failOn: view.failOn });
  if (!inspection) return '';
  if (kind === 'json')
    return `${JSON.stringify({ ...inspection, ...(assessment ? { assessment } : {}) }, null, 2)}\n`;
  const table = inspectionTable(inspection, view);
  return assessment ? `${table}\n${assessmentTable(assessment, { ...view, explain: false })}` : table;
}
