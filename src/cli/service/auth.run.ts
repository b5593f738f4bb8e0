import { type Access, findAccess, openCredentials } from '../../config/credentials.ts';
import { findOrigin, readSettings, type Settings } from '../../config/settings.ts';
import type { AuthTest } from '../../contract/answers.ts';
import { ENVIRONMENTS } from '../../domain/account.ts';
import { maskKey, readEnvironment } from '../../domain/api-key.ts';
import { makeUsageError, VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import { wrapText } from '../../report/text/terminal-lines.ts';
import type { FlagsOf } from '../commands.ts';
import { createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { readHttpAddress } from '../terminal/http-address.ts';
import { countColumns, write, writeStatus } from '../terminal/output.ts';
import { readText } from '../terminal/read-json.ts';

/** Stores the key and address of a service after testing that the service accepts the key. */
export async function runAuthLogin(flags: FlagsOf<'auth login'>, ctx: CliContext): Promise<void> {
  const baseUrl = readAddress(readSettings(flags, ctx)) ?? (await promptForAddress(ctx));
  const apiKey = await readKey(ctx);
  const profile = readEnvironment(apiKey);
  if (profile === undefined) throw makeKeyError('this is not an API key: keys begin with dev_ or prod_.');
  const data = await testKey({ baseUrl, apiKey, from: 'login' });
  const credentials = openCredentials(ctx.env);
  credentials.set(profile, { base_url: baseUrl, api_key: apiKey });
  const kept = `${maskKey(apiKey)} stored as profile ${profile} in ${credentials.path}`;
  await writeStatus(ctx, `vehi: logged in to ${baseUrl} as ${data.account_id} (${data.plan}); ${kept}`);
}

/** Prints the owner of the key that environment, flags or stored profiles select. */
export async function runAuthTest(flags: FlagsOf<'auth test'>, ctx: CliContext): Promise<void> {
  const settings = readSettings(flags, ctx);
  const { value, source } = settings.profile;
  const choice = {
    profile: value ?? undefined,
    isProfileGiven: source === 'flag',
    baseUrl: readAddress(settings),
  };
  const access = findAccess(choice, ctx.env);
  const data = await testKey(access);
  if (flags.json) return write(ctx.stdout, toJsonText({ status: 'success', data }));
  const rows = [
    ['service', access.baseUrl],
    ['key', `${maskKey(access.apiKey)} (${access.from})`],
    ['account', data.account_id],
    ['plan', data.plan],
    ['permissions', data.permissions.join(', ')],
  ] as const;
  const columns = ctx.stdout.isTTY ? countColumns(ctx) : Number.POSITIVE_INFINITY;
  const lines = rows.map(([name, value]) => wrapText(`${name.padEnd(12)}${value}`, columns, 0, 12));
  await write(ctx.stdout, `${lines.join('\n')}\n`);
}

/** Deletes stored keys: all, or the one of a profile. */
export async function runAuthLogout(flags: FlagsOf<'auth logout'>, ctx: CliContext): Promise<void> {
  const credentials = openCredentials(ctx.env);
  const names = flags.profile ? [flags.profile] : ENVIRONMENTS;
  const removed = names.filter((name) => credentials.remove(name));
  const none = `no ${flags.profile === undefined ? '' : `${flags.profile} `}key was stored`;
  await writeStatus(ctx, `vehi: ${removed.length === 0 ? none : `forgot ${removed.join(', ')}`}`);
}

export async function runAuthStatus(flags: FlagsOf<'auth status'>, ctx: CliContext): Promise<void> {
  const credentials = openCredentials(ctx.env);
  const profiles = ENVIRONMENTS.flatMap((name) => {
    const profile = credentials.get(name);
    return profile ? [{ profile: name, base_url: profile.base_url, key: maskKey(profile.api_key) }] : [];
  });
  const fromEnv = ctx.env.VEHI_API_KEY ? maskKey(ctx.env.VEHI_API_KEY) : null;
  if (flags.json)
    return write(ctx.stdout, toJsonText({ file: credentials.path, profiles, environment_key: fromEnv }));
  const lines = profiles.map((one) => `${one.profile.padEnd(12)}${one.key.padEnd(12)}${one.base_url}`);
  if (fromEnv !== null) lines.push(`VEHI_API_KEY ${fromEnv} (outranks the stored keys)`);
  if (lines.length === 0) lines.push('not logged in; log in with vehi auth login');
  await write(ctx.stdout, `${lines.join('\n')}\n`);
}

/** Returns the address from the flag or the setting; undefined without either. @throws VehiError usage */
function readAddress({ base_url: address }: Settings): string | undefined {
  if (address.value === null) return undefined;
  return readHttpAddress(findOrigin(address, '--base-url'), address.value);
}

async function promptForAddress(ctx: CliContext): Promise<string> {
  if (!ctx.interactive) throw makeUsageError('the address of the service is needed.', 'Give --base-url URL.');
  const typed = await (await createTerminalAsker(ctx)).input('Address of the service:');
  return readHttpAddress('--base-url', typed.trim());
}

/** Reads the key from a pipe, or asks for it on a terminal. */
async function readKey(ctx: CliContext): Promise<string> {
  if (!ctx.stdin.isTTY) return (await readText('-', ctx)).split('\n', 1)[0]?.trim() ?? '';
  if (!ctx.interactive)
    throw makeUsageError(
      'a key is needed, and questions are switched off.',
      'Pipe the key in: vehi auth login < FILE.',
    );
  return (await (await createTerminalAsker(ctx)).password('API key:')).trim();
}

const makeKeyError = (message: string) =>
  new VehiError('remote', 'INVALID_API_KEY', message, {
    hint: 'Copy the whole key, as it was shown when it was created.',
  });

const TIMEOUT_MS = 30_000;

/** What to do when a service refuses a key, by error code. */
const HINTS: Readonly<Record<string, string>> = {
  INVALID_API_KEY:
    'Check that the key is for this environment (dev_ for the sandbox, prod_ for production) and has not been revoked; then run vehi auth login.',
  INSUFFICIENT_PERMISSIONS: 'Use a key with this permission, or ask the account holder (plan, suspension).',
  NOT_FOUND: 'Check the address of the service (VEHI_BASE_URL, --base-url): it must be the part before /v1.',
  RATE_LIMIT_EXCEEDED: 'Wait, or ask for a plan with a higher limit.',
};

/**
 * Asks a service for the owner of a key.
 * @throws VehiError kind `remote` if the key is malformed, or the address is unreachable, no vehi service, or refuses it
 */
async function testKey({ baseUrl, apiKey, from }: Access): Promise<AuthTest> {
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw makeKeyError(`the API key (${from}) contains characters that no key can have.`);
  const hint = 'Check the address (VEHI_BASE_URL, --base-url), the network, and that the service runs.';
  const { status, body } = await ask(`${baseUrl}/v1/auth/test`, apiKey).catch((cause: unknown) => {
    const { cause: inner, name } = cause as { cause?: { code?: string; message?: string }; name?: string };
    const reason =
      name === 'TimeoutError' ? 'no answer in time' : (inner?.code ?? inner?.message ?? 'no connection');
    throw new VehiError('remote', 'UNREACHABLE', `cannot reach ${baseUrl} (${reason}).`, { hint, cause });
  });
  if (body?.status === 'success' && body.data) return body.data;
  if (body?.error?.code === undefined) {
    const message = `${baseUrl} answered ${status} and is not a vehi service.`;
    throw new VehiError('remote', 'NOT_A_SERVICE', message, { hint });
  }
  const { code, message = '' } = body.error;
  throw new VehiError('remote', code, `the service says: ${message} (${code})`, {
    hint: HINTS[code] ?? 'Try again, and inform the operator of the service if it persists.',
  });
}

type Answer = {
  readonly status?: string;
  readonly data?: AuthTest;
  readonly error?: { readonly code?: string; readonly message?: string };
} | null;

async function ask(url: string, apiKey: string): Promise<{ readonly status: number; readonly body: Answer }> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
  });
  const body = response.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) return null;
    throw error;
  });
  return { status: response.status, body: (await body) as Answer };
}
