import { extname } from 'node:path';
import { VehiError } from '../../lib/errors.ts';
import { FORMAT_NAMES, isFormatName } from '../../report/formats/index.ts';

/** What a report can be made as. */
export const REPORT_KINDS = ['pdf', 'html', 'json', ...FORMAT_NAMES] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export interface ReportOutput {
  readonly kind: ReportKind;
  /** A path, or `-` for stdout. */
  readonly path: string;
}

/** The kind a file's ending says. */
export const BY_EXTENSION: Readonly<Record<string, ReportKind>> = {
  '.pdf': 'pdf',
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
  '.csv': 'csv',
  '.sarif': 'sarif',
  '.xml': 'junit',
  '.md': 'markdown',
};

/** A kind by its name, of those allowed. @throws VehiError usage for another */
export function reportKind<K extends ReportKind>(name: string, allowed: readonly K[], flag: string): K {
  const kind = allowed.find((known) => known === name);
  if (kind) return kind;
  throw new VehiError(
    'usage',
    'INVALID_REQUEST',
    `${flag} is "${name}"; one of ${allowed.join(', ')} is needed.`,
  );
}

/** `KIND=FILE`, or a file name whose ending says the kind. @throws VehiError usage */
export function reportOutput<K extends ReportKind>(
  value: string,
  allowed: readonly K[],
): { kind: K; path: string } {
  const at = value.indexOf('=');
  const before = at < 0 ? '' : value.slice(0, at);
  if (before === 'pdf' || before === 'html' || before === 'json' || isFormatName(before)) {
    const path = value.slice(at + 1);
    if (path !== '') return { kind: reportKind(before, allowed, '--output'), path };
  } else if (value !== '') {
    const kind = BY_EXTENSION[extname(value).toLowerCase()];
    if (kind) return { kind: reportKind(kind, allowed, '--output'), path: value };
  }
  throw new VehiError('usage', 'INVALID_REQUEST', `--output ${value}: what to write is not clear.`, {
    hint: `Give KIND=FILE, for example --output pdf=report.pdf. Kinds: ${allowed.join(', ')}.`,
  });
}
