/** What `vehi admin schema --of` prints. */
export const SCHEMA_NAMES = [
  'openapi',
  'inspection',
  'assessment',
  'assessment-request',
  'estimate-lines',
  'inspection-request',
  'error',
] as const;

/** One of them. */
export type SchemaName = (typeof SCHEMA_NAMES)[number];
