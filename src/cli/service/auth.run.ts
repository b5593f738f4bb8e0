import {
  type Access,
  findAccess,
  openCredentials,
  openExistingCredentials,
} from '../../config/credentials.ts';
import { findOrigin, readSettings } from '../../config/settings.ts';
import type { AuthTest } from '../../contract/answers.ts';
import { ENVIRONMENTS } from '../../domain/account.ts';
import { maskKey, readEnvironment } from '../../domain/api-key.ts';
import { VehiError } from '../../lib/errors.ts';
import { parseJson, toJsonText } from '../../lib/json.ts';
import { createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { readHttpAddress } from '../terminal/http-address.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write, writeStatus } from '../terminal/output.ts';
import { readText } from '../terminal/read-json.ts';

/** Parsed flags of the `vehi auth` commands. */
export type AuthFlags = Partial<FlagsOf<'auth login' | 'auth test'>>;

async function promptForKey(ctx: CliContext): Promise<string> {
  if (!ctx.stdin.isTTY) return (await readText('-', ctx)).split('\n', 1)[0]?.trim() ?? '';
  if (!ctx.interactive) {
    throw new VehiError('usage', 'INPUT_NEEDED', 'a key is needed, and questions are switched off.', {
      hint: 'Pipe the key in: vehi auth login < FILE.',
    });
  }
  return (await (await createTerminalAsker(ctx)).password('API key:')).trim();
}

async function promptForAddress(flags: AuthFlags, ctx: CliContext): Promise<string> {
  const configured = readAddress(flags, ctx);
  if (configured !== undefined) return configured;
  if (!ctx.interactive) {
    throw new VehiError('usage', 'INPUT_NEEDED', 'the address of the service is needed.', {
      hint: 'Give --base-url URL.',
    });
  }
  const typed = await (await createTerminalAsker(ctx)).input('Address of the service:');
  return readHttpAddress('--base-url', typed.trim());
}

const TIMEOUT_MS = 30_000;

/** What to do about the refusals of a service, by code. */
const HINTS: Readonly<Record<string, string>> = {
  INVALID_API_KEY:
    'Check that the key is for this environment (dev_ for the sandbox, prod_ for production) and has not been revoked; then run vehi auth login.',
  INSUFFICIENT_PERMISSIONS: 'Use a key with this permission, or ask the account holder (plan, suspension).',
  NOT_FOUND: 'Check the address of the service (VEHI_BASE_URL, --base-url): it must be the part before /v1.',
  RATE_LIMIT_EXCEEDED: 'Wait, or ask for a plan with a higher limit.',
};

/**
 * Asks a service whose key it is.
 * @throws VehiError kind `remote` if the service cannot be reached, is none, or refuses the key
 */
async function testKey({ baseUrl, apiKey, from }: Access): Promise<AuthTest> {
  const hint = 'Check the address (VEHI_BASE_URL, --base-url), the network, and that the service runs.';
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new VehiError(
      'remote',
      'INVALID_API_KEY',
      `the API key (${from}) contains characters that no key can have.`,
      { hint: 'Copy the whole key, as it was shown when it was created.' },
    );
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${baseUrl}/v1/auth/test`, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
    });
    text = await response.text();
  } catch (cause) {
    const { cause: inner, name } = cause as { cause?: { code?: string; message?: string }; name?: string };
    const reason =
      name === 'TimeoutError' ? 'no answer in time' : (inner?.code ?? inner?.message ?? 'no connection');
    throw new VehiError('remote', 'UNREACHABLE', `cannot reach ${baseUrl} (${reason}).`, { hint, cause });
  }
  const body = readAnswer(text);
  if (response.ok && body?.status === 'success' && body.data) return body.data;
  if (body?.error?.code === undefined)
    throw new VehiError(
      'remote',
      'NOT_A_SERVICE',
      `${baseUrl} answered ${response.status} and is not a vehi service.`,
      {
        hint,
      },
    );
  const { code, message = '' } = body.error;
  throw new VehiError('remote', code, `the service says: ${message} (${code})`, {
    hint: HINTS[code] ?? 'Try again, and inform the operator of the service if it persists.',
  });
}

type Answer = {
  readonly status?: string;
  readonly data?: AuthTest;
  readonly error?: { readonly code?: string; readonly message?: string };
};

function readAnswer(text: string): Answer | null {
  try {
    return parseJson(text) as Answer | null;
  } catch {
    return null;
  }
}

/** Returns the service and key that flags, environment and stored profiles select. @throws VehiError kind `remote` */
function chooseAccess(flags: AuthFlags, ctx: CliContext): Access {
  const { profile } = readSettings(flags, ctx);
  return findAccess({ profile: profile.value ?? undefined, baseUrl: readAddress(flags, ctx) }, ctx.env);
}

/** Returns the address of the flag or the setting; undefined without either. @throws VehiError usage */
function readAddress(flags: AuthFlags, ctx: CliContext): string | undefined {
  const { base_url: address } = readSettings(flags, ctx);
  return address.value === null
    ? undefined
    : readHttpAddress(findOrigin(address, '--base-url'), address.value);
}

/** Runs `vehi auth login`, which stores the key only if the service accepts it. */
export async function runAuthLogin(flags: AuthFlags, ctx: CliContext): Promise<void> {
  const baseUrl = await promptForAddress(flags, ctx);
  const apiKey = await promptForKey(ctx);
  const profile = readEnvironment(apiKey);
  if (profile === undefined) {
    throw new VehiError(
      'remote',
      'INVALID_API_KEY',
      'this is not an API key: keys begin with dev_ or prod_.',
      { hint: 'Copy the whole key, as it was shown when it was created.' },
    );
  }
  const data = await testKey({ baseUrl, apiKey, from: 'login' });
  const credentials = openCredentials(ctx.env);
  credentials.set(profile, { base_url: baseUrl, api_key: apiKey });
  await writeStatus(
    ctx,
    `vehi: logged in to ${baseUrl} as ${data.account_id} (${data.plan}); ${maskKey(apiKey)} stored as profile ${profile} in ${credentials.path}`,
  );
}

/** Runs `vehi auth test`. */
export async function runAuthTest(flags: AuthFlags, ctx: CliContext): Promise<void> {
  const access = chooseAccess(flags, ctx);
  const data = await testKey(access);
  if (flags.json) return write(ctx.stdout, toJsonText({ status: 'success', data }));
  const rows = [
    ['service', access.baseUrl],
    ['key', `${maskKey(access.apiKey)} (${access.from})`],
    ['account', data.account_id],
    ['plan', data.plan],
    ['permissions', data.permissions.join(', ')],
  ];
  await write(ctx.stdout, rows.map(([name, value]) => `${name?.padEnd(12)}${value}\n`).join(''));
}

/** Runs `vehi auth logout`. */
export async function runAuthLogout(flags: AuthFlags, ctx: CliContext): Promise<void> {
  const credentials = openExistingCredentials(ctx.env);
  const names = flags.profile ? [flags.profile] : ENVIRONMENTS;
  const removed = names.filter((name) => credentials.remove(name));
  await writeStatus(
    ctx,
    removed.length === 0 ? 'vehi: no key was stored' : `vehi: forgot ${removed.join(', ')}`,
  );
}

/** Runs `vehi auth status`. */
export async function runAuthStatus(flags: AuthFlags, ctx: CliContext): Promise<void> {
  const credentials = openExistingCredentials(ctx.env);
  const profiles = ENVIRONMENTS.flatMap((name) => {
    const profile = credentials.get(name);
    return profile ? [{ profile: name, base_url: profile.base_url, key: maskKey(profile.api_key) }] : [];
  });
  const fromEnv = ctx.env.VEHI_API_KEY ? maskKey(ctx.env.VEHI_API_KEY) : null;
  if (flags.json)
    return write(ctx.stdout, toJsonText({ file: credentials.path, profiles, environment_key: fromEnv }));
  const lines = profiles.map((one) => `${one.profile.padEnd(12)}${one.key.padEnd(12)}${one.base_url}`);
  if (fromEnv !== null) lines.push(`VEHI_API_KEY ${fromEnv} (outranks the stored keys)`);
  await write(
    ctx.stdout,
    `${lines.length === 0 ? 'not logged in; vehi auth login does' : lines.join('\n')}\n`,
  );
}
