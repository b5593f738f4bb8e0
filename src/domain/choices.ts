/** Where a service keeps what belongs together: a key of one is never seen in the other. */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** How long a key may be valid, and a replaced one go on. */
export const KEY_DAYS_MAX = 3650;
export const GRACE_HOURS_MAX = 8760;

/** Number formats a model may be shipped in. */
export const PRECISIONS = ['fp32', 'int8'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** How far an inspection or an assessment is. */
export const INSPECTION_STATUSES = ['processing', 'completed', 'failed'] as const;
export type InspectionStatus = (typeof INSPECTION_STATUSES)[number];

/** Operations that a repair usually brings: not looked at, in the first bill by their share of jobs, or all in the total. */
export const ASSOCIATED_MODES = ['off', 'likely', 'all'] as const;
export type AssociatedMode = (typeof ASSOCIATED_MODES)[number];

/** Page sizes of a PDF. */
export const PAGE_SIZES = ['A4', 'Letter'] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** Photos of one inspection: the contract's limits. The command line inspects fewer and says so. */
export const IMAGES_MIN = 4;
export const IMAGES_MAX = 50;
/** Size of one photo ("Image requirements"); a megabyte is read as 1024 * 1024 bytes, the kinder of two readings. */
export const IMAGE_MB_MAX = 10;
export const IMAGE_BYTES_MAX = IMAGE_MB_MAX * 1024 * 1024;
/** Size of one upload with all its photos, megabytes: a limit of ours. */
export const UPLOAD_MB_MAX = 256;
/** Least pixels of the longer and the shorter side of an upright photo ("Image requirements"), and as messages name them. */
export const IMAGE_LONG_SIDE_MIN = 1280;
export const IMAGE_SHORT_SIDE_MIN = 720;
export const IMAGE_SMALLEST = `${IMAGE_LONG_SIDE_MIN}x${IMAGE_SHORT_SIDE_MIN}`;

/** Plans of the contract ("Rate limits by plan"), and whether an account may call. */
export const PLANS = ['free', 'starter', 'professional', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];
export const ACCOUNT_STATUSES = ['active', 'suspended'] as const;

/** What a key may be allowed to do. */
export const PERMISSIONS = [
  'inspections:read',
  'inspections:write',
  'webhooks:manage',
  'keys:manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Events that a webhook can be sent. */
export const WEBHOOK_EVENTS = [
  'visual_inspection.completed',
  'damage_assessment.completed',
  'visual_inspection.failed',
  'visual_inspection.reviewed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
