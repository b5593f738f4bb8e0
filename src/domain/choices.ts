/** Where a service keeps what belongs together: a key of one is never seen in the other. */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Number formats a model may be shipped in. */
export const PRECISIONS = ['fp32', 'int8'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** Page sizes of a PDF. */
export const PAGE_SIZES = ['A4', 'Letter'] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** Photos of one inspection: the contract's limits. The command line inspects fewer and says so. */
export const IMAGES_MIN = 4;
export const IMAGES_MAX = 50;
