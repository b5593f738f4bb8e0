/** Number formats of the shipped models. */
export const PRECISIONS = ['fp32', 'int8'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** Progress of an inspection or an assessment. */
export const INSPECTION_STATUSES = ['processing', 'completed', 'failed'] as const;
export type InspectionStatus = (typeof INSPECTION_STATUSES)[number];

/** Associated operations: ignored, counted in the first bill by their share of jobs, or all in the total. */
export const ASSOCIATED_MODES = ['off', 'likely', 'all'] as const;
export type AssociatedMode = (typeof ASSOCIATED_MODES)[number];

/** Page sizes of a PDF. */
export const PAGE_SIZES = ['A4', 'Letter'] as const;
export type PageSize = (typeof PAGE_SIZES)[number];
