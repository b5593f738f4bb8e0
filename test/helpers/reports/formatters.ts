import { formatCsv } from '../../../src/report/formats/csv.ts';
import { formatGithub } from '../../../src/report/formats/github.ts';
import { formatJunit } from '../../../src/report/formats/junit.ts';
import { formatMarkdown } from '../../../src/report/formats/markdown.ts';

/** The text formats by name. */
export const FORMATTERS = {
  csv: formatCsv,
  junit: formatJunit,
  github: formatGithub,
  markdown: formatMarkdown,
} as const;
