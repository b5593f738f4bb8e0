import { execFile, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { FIXTURES, ROOT } from '../../helpers/cli/run-cli.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { serveInside } from '../../helpers/cli/start-inside.ts';
import { makeOwnHome } from '../../helpers/temporary-folder.ts';

/*
 * A sandbox and a production service side by side: each key works at its own, and what is wrong with a key is said with
 * what to do.
 */
const { directory, env } = makeOwnHome('auth');
const credentials = join(directory, 'config', 'vehi', 'credentials.json');
const data = `--data ${join(directory, 'data')}`;
const [sandbox, production] = await Promise.all([
  serveInside(['--sandbox', '--ephemeral']),
  serveInside([...data.split(' '), '--models', join(FIXTURES, 'models'), '--log-level', 'silent']),
]);
afterAll(() => Promise.all([sandbox.stop(), production.stop()]));
const hasExpect = spawnSync('expect', ['-v']).status === 0;

const run = (line: string, more: Readonly<Record<string, string>> = {}, stdin = '') =>
  runInside(line, { env: { ...env, ...more }, stdin });
const administer = (line: string) => run(`admin ${line} ${data}`);

/** Makes an account with a key of the production service. */
async function newAccount(): Promise<Record<'api_key' | 'key_id' | 'account_id', string>> {
  const line = 'keys create --environment production --new-account Shop --plan starter --json';
  const { code, stdout, stderr } = await administer(line);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe('vehi auth login', () => {
  it.each([
    ['an unknown key', 'dev_nonsense', 'SANDBOX', 5, /INVALID_API_KEY[\s\S]*vehi auth login/],
    ['something else', 'hello', 'SANDBOX', 5, /begin with dev_ or prod_/],
    ['letters no key has', 'dev_ключ', 'SANDBOX', 5, /characters that no key can have/],
    ["the other environment's key", 'KEY', 'PRODUCTION', 5, /another environment/],
    ['nobody there', 'KEY', 'http://127.0.0.1:1', 5, /cannot reach[\s\S]*Check the address/],
    ['an address with a password', 'KEY', 'http://me:secret@127.0.0.1', 2, /password in it/],
    ['an address of something else', 'KEY', 'SANDBOX/docs', 5, /Check .*address|--base-url/],
  ] as const)('%s: stores nothing', async (_name, key, address, code, message) => {
    const baseUrl = address
      .replace('SANDBOX', sandbox.line.address)
      .replace('PRODUCTION', production.line.address);
    const typed = `${key.replace('KEY', sandbox.line.api_key)}\n`;
    const ran = await run(`auth login --base-url ${baseUrl}`, {}, typed);
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
    expect(ran.stderr).not.toMatch(/secret|nonsense_/);
    expect(ran.stderr).not.toContain(sandbox.line.api_key);
    expect(existsSync(credentials)).toBe(false);
  });

  it('keeps a sandbox and a production profile, used by name, forgotten one by one', async () => {
    const { api_key, account_id } = await newAccount();
    const login = (url: string, key: string) => run(`auth login --base-url ${url}`, {}, `${key}\n`);
    expect((await login(production.line.address, api_key)).stderr).toContain(account_id);
    const piped = await login(sandbox.line.address, sandbox.line.api_key);
    expect(piped).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('profile sandbox') });
    expect(piped.stderr).not.toContain(sandbox.line.api_key);

    const status = JSON.parse((await run('auth status --json')).stdout);
    expect(status.profiles.map((one: { profile: string }) => one.profile)).toEqual(['sandbox', 'production']);
    expect(JSON.stringify(status)).not.toContain(api_key);
    for (const [profile, plan] of [
      ['sandbox', 'professional'],
      ['production', 'starter'],
    ] as const) {
      const test = await run(`auth test --profile ${profile} --json`);
      const { environment, plan: stated } = JSON.parse(test.stdout).data;
      expect([test.code, environment, stated]).toEqual([0, profile, plan]);
    }

    await run('auth logout --profile sandbox');
    expect((await run('auth test --profile sandbox')).code).toBe(5);
    expect((await run('auth test')).code).toBe(0);
    const outside = await run('auth status', { VEHI_API_KEY: 'dev_0123456789' });
    expect(outside.stdout).toMatch(/production +prod_….{4}[\s\S]*VEHI_API_KEY dev_…6789/);
    await run('auth logout');
    expect((await run('auth status')).stdout).toContain('not logged in');
    expect((await run('auth logout')).stderr).toContain('no key was stored');
  });

  it.skipIf(!hasExpect)('asks for the key on a terminal and does not show it', async () => {
    const script = `
set timeout 45
spawn "${process.execPath}" "${resolve(ROOT, 'bin/vehi.js')}" auth login --base-url ${sandbox.line.address}
expect "API key" {} timeout { exit 91 } eof { exit 92 }
send "${sandbox.line.api_key}\\r"
expect "logged in" {} timeout { exit 93 } eof { exit 94 }
expect eof {} timeout { exit 95 }
exit 0
`;
    const home = { PATH: process.env.PATH, HOME: directory, TERM: 'xterm', ...env };
    const { stdout } = await promisify(execFile)('expect', ['-c', script], { cwd: directory, env: home });
    expect(stdout).toContain('logged in');
    expect(stdout).not.toContain(sandbox.line.api_key);
    rmSync(credentials);
  });
});

it.each<[string, string, RegExp]>([
  ['a revoked key', 'keys revoke KEY', /revoked[\s\S]*vehi auth login/],
  ['a suspended account', 'accounts update ACCOUNT --status suspended', /suspended[\s\S]*account holder/],
  ['requests used up', 'accounts update ACCOUNT --requests-per-hour 1', /RATE_LIMIT_EXCEEDED[\s\S]*Wait/],
])('auth test of %s: exit 5 and what to do', async (_name, change, said) => {
  const { api_key, key_id, account_id } = await newAccount();
  const test = () => run(`auth test --base-url ${production.line.address}`, { VEHI_API_KEY: api_key });
  expect((await test()).code).toBe(0);
  await administer(change.replace('KEY', key_id).replace('ACCOUNT', account_id));
  expect(await test()).toMatchObject({ code: 5, stderr: expect.stringMatching(said) });
});
