import { formatCoco } from './coco.ts';
import { formatCsv } from './csv.ts';
import type { Formatter } from './format.ts';
import { formatGithub } from './github.ts';
import { formatJunit } from './junit.ts';
import { formatMarkdown } from './markdown.ts';
import { formatSarif } from './sarif.ts';

export type { FormatOptions, Formatter } from './format.ts';

/** The text formats by name, as `--format` and `--output kind=path` take them. */
export const FORMATTERS = {
  csv: formatCsv,
  sarif: formatSarif,
  junit: formatJunit,
  github: formatGithub,
  markdown: formatMarkdown,
  coco: formatCoco,
} as const satisfies Record<string, Formatter>;

export type FormatName = keyof typeof FORMATTERS;
export const FORMAT_NAMES = Object.keys(FORMATTERS) as readonly FormatName[];

/** True for the name of a text format (own keys only). */
export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(FORMATTERS, name);
}
