import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { makeOwnHome } from '../../helpers/own-folder.ts';

const { directory, env } = makeOwnHome('service');

describe('keys, accounts, data', () => {
  it('a production key: made, shown once, listed masked, revoked; the account suspended', async () => {
    const data = ['--data', join(directory, 'production')];
    const refused = await runInside(
      ['admin', 'keys', 'create', ...data, '--new-account', 'Shop', '--environment', 'production'],
      { env },
    );
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('paid plan')]);
    const words = [
      '--new-account',
      'Shop',
      '--plan',
      'starter',
      '--environment',
      'production',
      '--expires-days',
      '90',
      '--json',
    ];
    const made = JSON.parse(
      (await runInside(['admin', 'keys', 'create', ...data, ...words], { env })).stdout,
    );
    expect(made.api_key).toMatch(/^prod_/);
    const list = await runInside(['admin', 'keys', 'list', ...data], { env });
    expect(list.stdout).toContain(`prod_…${made.api_key.slice(-4)}`);
    expect(list.stdout).not.toContain(made.api_key);
    expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.now() + 80 * 86_400_000);
    expect((await runInside(['admin', 'keys', 'revoke', made.key_id, ...data], { env })).code).toBe(0);
    const keys = JSON.parse((await runInside(['admin', 'keys', 'list', ...data, '--json'], { env })).stdout);
    expect(keys.map((key: { revoked_at: string | null }) => key.revoked_at === null)).toEqual([false]);
    expect(
      (
        await runInside(['admin', 'accounts', 'update', made.account_id, ...data, '--status', 'suspended'], {
          env,
        })
      ).code,
    ).toBe(0);
    expect((await runInside(['admin', 'accounts', 'list', ...data], { env })).stdout).toContain('suspended');
    const backup = join(directory, 'copy.db');
    expect((await runInside(['admin', 'data', 'backup', backup, ...data], { env })).code).toBe(0);
    expect((await runInside(['admin', 'data', 'backup', backup, ...data], { env })).code).toBe(2);
    expect((await runInside(['admin', 'data', 'purge', ...data], { env })).code).toBe(2);
    const purged = await runInside(['admin', 'data', 'purge', '--vehicle', 'veh_x', '--yes', ...data], {
      env,
    });
    expect([purged.code, purged.stdout]).toEqual([0, '']);
  });

  it.each([
    ['backup', 'copy-of-nothing.db'],
    ['purge', '--vehicle', 'veh_x', '--yes'],
  ])('data %s makes no data directory of a slip', async (...command) => {
    const mistyped = join(directory, 'mistyped');
    const run = await runInside(['admin', 'data', ...command, '--data', mistyped], { env });
    expect([run.code, run.stderr]).toEqual([
      2,
      expect.stringContaining(`${mistyped}: there is no service data here`),
    ]);
    expect(existsSync(mistyped)).toBe(false);
  });
});
