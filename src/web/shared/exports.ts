import type { REVIEW_FORMATS } from '../../contract/review-answers.ts';

export type ExportName = (typeof REVIEW_FORMATS)[number];

/** Files of a review: `label` names one on a button, `words` in a list. */
export const EXPORTS: readonly Readonly<Record<'label' | 'words', string> & { name: ExportName }>[] = [
  { name: 'pdf', label: 'PDF', words: 'PDF report' },
  { name: 'html', label: 'HTML', words: 'HTML report' },
  { name: 'json', label: 'JSON', words: 'JSON, the result with the review' },
  { name: 'csv', label: 'CSV', words: 'CSV, a row per damage' },
  { name: 'estimate', label: 'Estimate', words: 'Estimate, a row per line' },
  { name: 'coco', label: 'COCO', words: 'COCO of the corrections, for training' },
];
