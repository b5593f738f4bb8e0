/** Isolated environments of a service: keys of one never see the data of the other. */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Maximum and recommended lifetime of a key in days. */
export const MAX_KEY_DAYS = 3650;
export const RECOMMENDED_KEY_DAYS = 90;
/** Maximum and default time in hours during which a rotated key stays valid. */
export const MAX_GRACE_HOURS = 8760;
export const DEFAULT_GRACE_HOURS = 24;

/** Plans of the contract ("Rate limits by plan"), and the account statuses. */
export const PLANS = ['free', 'starter', 'professional', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];
export const ACCOUNT_STATUSES = ['active', 'suspended'] as const;

export const PERMISSIONS = [
  'inspections:read',
  'inspections:write',
  'webhooks:manage',
  'keys:manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Events of a webhook that names none. */
export const DEFAULT_WEBHOOK_EVENTS = ['visual_inspection.completed', 'damage_assessment.completed'] as const;
export const WEBHOOK_EVENTS = [
  ...DEFAULT_WEBHOOK_EVENTS,
  'visual_inspection.failed',
  'visual_inspection.reviewed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
