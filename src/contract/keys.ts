import {
  DEFAULT_GRACE_HOURS,
  ENVIRONMENTS,
  MAX_GRACE_HOURS,
  MAX_KEY_DAYS,
  PERMISSIONS,
  RECOMMENDED_KEY_DAYS,
} from '../domain/account.ts';
import { NamedObject, type Static, StringEnum, Type } from '../lib/type.ts';
import { Nullable, OptionalText } from './common.ts';
import { MAX_KEY_NAME } from './constants.ts';

const Permissions = (description: string) =>
  Type.Array(StringEnum(PERMISSIONS), { minItems: 1, maxItems: PERMISSIONS.length, description });

export const KeyRequestSchema = NamedObject('ApiKeyRequest', {
  name: Type.Optional(Type.String({ maxLength: MAX_KEY_NAME, description: 'A name to recognize it by.' })),
  permissions: Type.Optional(
    Permissions('Its permissions, at most those of the key that creates it; default: the same.'),
  ),
  expires_in_days: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_KEY_DAYS,
        description: `Default: no expiry. Rotating keys every ${RECOMMENDED_KEY_DAYS} days is good practice.`,
      }),
    ),
  ),
});

export const KeyRotationSchema = Type.Object({
  grace_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_GRACE_HOURS,
      default: DEFAULT_GRACE_HOURS,
      description: 'How long the old key still works; 0 for one that leaked.',
    }),
  ),
});

export const KeySchema = NamedObject('ApiKey', {
  key_id: Type.String({ pattern: '^key_' }),
  name: Type.String(),
  hint: Type.String({ description: 'Prefix and last characters of the key; the rest is never stored.' }),
  environment: StringEnum(ENVIRONMENTS),
  permissions: Type.Array(Type.String()),
  status: StringEnum(['valid', 'expired', 'revoked'] as const),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Nullable(Type.String({ format: 'date-time' })),
  revoked_at: Nullable(Type.String({ format: 'date-time' })),
  last_used_at: Nullable(Type.String({ format: 'date-time' })),
  api_key: OptionalText('The key itself; returned only when it is created or rotated.'),
});
export type Key = Static<typeof KeySchema>;
