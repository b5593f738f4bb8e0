import type { OutputKind } from './inspection-output.ts';
import type { ReportKind } from './report-kinds.ts';

/** What each kind of output is, for help and questions. */
export const KIND_WORDS: Readonly<Record<OutputKind | ReportKind, string>> = {
  table: 'a table to read on a terminal',
  json: 'the whole result, as the service answers it',
  csv: 'a row per damage, for a spreadsheet',
  sarif: 'SARIF 2.1.0, for code-scanning views of CI systems',
  junit: 'JUnit XML, a test per damage, for CI systems',
  github: 'annotations of GitHub Actions',
  markdown: 'a summary for a pull request or an issue',
  coco: 'COCO JSON with the boxes, for labelling tools',
  pdf: 'a report with photos, for the claim file',
  html: 'the same as one web page, pictures inside',
};
