/** Isolated environments of a service: keys of one never see the data of the other. */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Maximum validity of a key, and maximum overlap of a replaced one. */
export const KEY_DAYS_MAX = 3650;
export const GRACE_HOURS_MAX = 8760;

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

/** Photos per inspection according to the contract. The command line accepts fewer with a warning. */
export const IMAGES_MIN = 4;
export const IMAGES_MAX = 50;
/** Maximum photo size ("Image requirements"); a megabyte is 1024 * 1024 bytes, the more lenient reading. */
export const IMAGE_MB_MAX = 10;
export const IMAGE_BYTES_MAX = IMAGE_MB_MAX * 1024 * 1024;
/** Maximum upload size with all photos, megabytes: a limit of ours. */
export const UPLOAD_MB_MAX = 256;
/** Minimum long and short side of an upright photo, pixels ("Image requirements"), and their wording in messages. */
export const IMAGE_LONG_SIDE_MIN = 1280;
export const IMAGE_SHORT_SIDE_MIN = 720;
export const IMAGE_SMALLEST = `${IMAGE_LONG_SIDE_MIN}x${IMAGE_SHORT_SIDE_MIN}`;

/** Plans of the contract ("Rate limits by plan"), and the account statuses. */
export const PLANS = ['free', 'starter', 'professional', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];
export const ACCOUNT_STATUSES = ['active', 'suspended'] as const;

/** Permissions of a key. */
export const PERMISSIONS = [
  'inspections:read',
  'inspections:write',
  'webhooks:manage',
  'keys:manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Webhook events. */
export const WEBHOOK_EVENTS = [
  'visual_inspection.completed',
  'damage_assessment.completed',
  'visual_inspection.failed',
  'visual_inspection.reviewed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
