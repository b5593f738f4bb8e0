import { ENVIRONMENTS } from '../domain/choices.ts';
import { type Static, Type } from '../lib/type.ts';
import { Nullable, StringEnum } from './common.ts';

/** Who is signed in at `/app`, what the key may do, and what the page needs to know of the service. */
export const SessionSchema = Type.Object({
  account_id: Type.String(),
  name: Type.String(),
  plan: Type.String(),
  environment: StringEnum(ENVIRONMENTS),
  key_id: Type.String(),
  permissions: Type.Array(Type.String()),
  keep_views_days: Type.Integer(),
  /** Codes that rates are there for, and the one that counts where none is named. */
  regions: Type.Array(Type.String()),
  region: Type.String(),
  currencies: Type.Array(Type.String()),
  currency: Type.String(),
  software_version: Type.String(),
  /** What every change is sent with; null where the link of a command proves who asks. */
  csrf: Nullable(Type.String()),
});
export type SessionAnswer = Static<typeof SessionSchema>;
