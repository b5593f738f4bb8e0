export const EXPORTS = [
  { name: 'pdf', label: 'PDF', words: 'PDF report' },
  { name: 'html', label: 'HTML', words: 'HTML report' },
  { name: 'json', label: 'JSON', words: 'JSON, the result with the review' },
  { name: 'csv', label: 'CSV', words: 'CSV, a row per damage' },
  { name: 'estimate', label: 'Estimate', words: 'Estimate, a row per line' },
  { name: 'coco', label: 'COCO', words: 'COCO of the corrections, for training' },
] as const;
export type ExportName = (typeof EXPORTS)[number]['name'];
