import { ENVIRONMENTS } from '../domain/account.ts';
import { type Static, Type } from '../lib/type.ts';
import { StringEnum } from './common.ts';

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
