import type { InspectionEnvelope } from '../contract/inspection.ts';
import type { Severity } from '../domain/damage.ts';
import { VehiError } from '../domain/errors.ts';
import { FORMAT_NAMES, FORMATTERS, isFormatName } from './format/index.ts';
import { inspectionTable } from './format/inspection-table.ts';

/** What `--format` and `--output KIND=FILE` can name for an inspection. */
export const OUTPUT_KINDS = ['table', 'json', ...FORMAT_NAMES] as const;
export type OutputKind = (typeof OUTPUT_KINDS)[number];

export interface Output {
  readonly kind: OutputKind;
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
  const kind = OUTPUT_KINDS.find((known) => known === name);
  if (kind) return kind;
  throw new VehiError(
    'usage',
    'INVALID_REQUEST',
    `--format is "${name}"; one of ${OUTPUT_KINDS.join(', ')} is needed.`,
  );
}

/** `KIND=FILE` or just `FILE` (JSON), for each --output. */
export function parseOutputs(values: readonly string[]): readonly Output[] {
  return values.map((value) => {
    const [before = '', ...after] = value.split('=');
    const kind = OUTPUT_KINDS.find((known) => known === before);
    const path = kind ? after.join('=') : value;
    if (kind && after.length > 0 && path !== '') return { kind, path };
    if (value !== '' && !kind) return { kind: 'json', path: value };
    throw new VehiError('usage', 'INVALID_REQUEST', `--output ${value}: a file name is missing.`, {
      hint: 'For example --output result.json or --output csv=damages.csv',
    });
  });
}

/** The text of an inspection in one kind; ends with a line break. */
export async function renderInspection(
  envelope: InspectionEnvelope,
  kind: OutputKind,
  view: View,
): Promise<string> {
  if (kind === 'json') return `${JSON.stringify(envelope, null, 2)}\n`;
  if (isFormatName(kind))
    return FORMATTERS[kind]({ inspection: envelope, assessment: null }, { failOn: view.failOn });
  return inspectionTable(envelope, view);
}
