import { ENVIRONMENTS, type Environment } from './choices.ts';

/** What the keys of an environment begin with. */
export const KEY_PREFIX = {
  sandbox: 'dev_',
  production: 'prod_',
} as const satisfies Record<Environment, string>;

/** Returns the environment that a key's prefix names. */
export function readEnvironment(key: string): Environment | undefined {
  return ENVIRONMENTS.find((name) => key.startsWith(KEY_PREFIX[name]));
}

/** Returns a key as it may be shown: `dev_…ab12`. */
export function maskKey(key: string): string {
  return `${key.slice(0, key.indexOf('_') + 1)}…${key.slice(-4)}`;
}
