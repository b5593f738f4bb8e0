/** What a key may be allowed to do. */
export const PERMISSION_VALUES = [
  'inspections:read',
  'inspections:write',
  'webhooks:manage',
  'keys:manage',
] as const;

export const WEBHOOK_EVENT_VALUES = [
  'visual_inspection.completed',
  'damage_assessment.completed',
  'visual_inspection.failed',
  'visual_inspection.reviewed',
] as const;
