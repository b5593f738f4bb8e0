import { ENVIRONMENTS, type Environment } from './account.ts';

/** Key prefix of each environment. */
export const KEY_PREFIX = {
  sandbox: 'dev_',
  production: 'prod_',
} as const satisfies Record<Environment, string>;

/** Returns the environment named by a key's prefix. */
export function readEnvironment(key: string): Environment | undefined {
  return ENVIRONMENTS.find((name) => key.startsWith(KEY_PREFIX[name]));
}

/** Masks a key for display: `dev_…ab12`. */
export function maskKey(key: string): string {
  return `${key.slice(0, key.indexOf('_') + 1)}…${key.slice(-4)}`;
}
