import { ACCOUNT_STATUSES, ENVIRONMENTS } from '../domain/account.ts';
import { NamedObject, type Static, StringEnum, type TSchema, Type } from '../lib/type.ts';
import { envelop, IgnoredFieldsSchema, Nullable, RuleTraceSchema } from './common.ts';
import { VisualInspectionSchema } from './inspection.ts';

/** Creates the schema of a response that also lists ignored request fields. */
export const answerWithIgnored = <D extends TSchema>(data: D) =>
  Type.Object({
    ...envelop(data).properties,
    meta: Type.Optional(Type.Object({ request_id: Type.String(), warnings: IgnoredFieldsSchema })),
  });

export const PaginationSchema = NamedObject('Pagination', {
  total: Type.Integer({ minimum: 0 }),
  limit: Type.Integer({ minimum: 1 }),
  offset: Type.Integer({ minimum: 0 }),
  has_more: Type.Boolean(),
  next_cursor: Nullable(
    Type.String({ description: '`cursor` of the next page; null on the last one (extension).' }),
  ),
});
export type Pagination = Static<typeof PaginationSchema>;

/** Creates the schema of a list of inspections. */
export const defineInspectionList = <I extends TSchema>(item: I) =>
  answerWithIgnored(Type.Object({ inspections: Type.Array(item), pagination: PaginationSchema }));

/** Fields that a report adds to an inspection or assessment. */
export const ReportFields = {
  report_id: Type.String({ pattern: '^rep_' }),
  generated_at: Type.String({ format: 'date-time' }),
  rules_fired: Type.Array(
    Type.Object({
      subject: Type.String({ description: 'Damage the rule was applied to.' }),
      ...RuleTraceSchema.properties,
    }),
  ),
};

export const VisualReportSchema = NamedObject('VisualReport', {
  ...VisualInspectionSchema.properties,
  ...ReportFields,
});

export const AuthTestSchema = NamedObject('AuthTest', {
  authenticated: Type.Boolean(),
  account_id: Type.String({ pattern: '^acc_' }),
  plan: Type.String(),
  permissions: Type.Array(Type.String()),
  environment: StringEnum(ENVIRONMENTS),
  key_id: Type.String(),
  key_expires_at: Nullable(Type.String({ format: 'date-time' })),
});
export type AuthTest = Static<typeof AuthTestSchema>;

export const AccountSchema = NamedObject('Account', {
  account_id: Type.String({ pattern: '^acc_' }),
  name: Type.String(),
  plan: Type.String(),
  status: StringEnum(ACCOUNT_STATUSES),
  permissions: Type.Array(Type.String()),
  environment: StringEnum(ENVIRONMENTS),
  created_at: Type.String({ format: 'date-time' }),
  limits: Type.Object({
    requests_per_hour: Nullable(Type.Integer({ description: 'null = unlimited' })),
    concurrent_requests: Nullable(Type.Integer({ description: 'null = unlimited' })),
  }),
  usage: Type.Object({
    requests_this_hour: Type.Integer({ minimum: 0 }),
    window_resets_at: Type.String({ format: 'date-time' }),
  }),
});

/** User signed in at `/app`, permissions of the key, and service facts for the page. */
export const SessionSchema = Type.Object({
  account_id: Type.String(),
  name: Type.String(),
  plan: Type.String(),
  environment: StringEnum(ENVIRONMENTS),
  key_id: Type.String(),
  permissions: Type.Array(Type.String()),
  keep_views_days: Type.Integer(),
  /** Codes of regions and currencies with rates, and their defaults. */
  regions: Type.Array(Type.String()),
  region: Type.String(),
  currencies: Type.Array(Type.String()),
  currency: Type.String(),
  software_version: Type.String(),
});
export type SessionAnswer = Static<typeof SessionSchema>;
