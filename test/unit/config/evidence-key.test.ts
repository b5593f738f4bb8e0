import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findEvidenceKeyFile, openEvidenceKey, readEvidenceKey } from '../../../src/config/evidence-key.ts';
import { computeFingerprint } from '../../../src/evidence/manifest.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

it('makes a key at first use, readable by its owner only, and finds it again', () => {
  const env = { XDG_CONFIG_HOME: makeOwnFolder('evidence-key') };
  expect(readEvidenceKey(env)).toBeNull();
  const made = computeFingerprint(openEvidenceKey(env));
  expect(computeFingerprint(openEvidenceKey(env))).toBe(made);
  expect(statSync(findEvidenceKeyFile(env)).mode & 0o777).toBe(0o600);
  writeFileSync(findEvidenceKeyFile(env), 'no key');
  const refused = { code: 'KEY_UNREADABLE', hint: expect.stringContaining('move the file away') };
  expect(() => openEvidenceKey(env)).toThrow(expect.objectContaining(refused));
});

// In /proc Node's recursive mkdir never returns.
it.runIf(process.platform === 'linux')('says that a folder takes no key', () => {
  expect(() => openEvidenceKey({ XDG_CONFIG_HOME: '/proc' })).toThrow(
    expect.objectContaining({ code: 'KEY_NOT_WRITABLE' }),
  );
});

it.runIf(process.platform === 'linux')('leaves no empty key where there is no room for it', () => {
  const env = { ...process.env, XDG_CONFIG_HOME: makeOwnFolder('evidence-key') };
  const module = new URL('../../../src/config/evidence-key.ts', import.meta.url).href;
  const script = `(await import('${module}')).openEvidenceKey(process.env)`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  const { stderr } = spawnSync('bash', ['-c', 'ulimit -f 0; exec node "$@"', '-', ...args], {
    env,
    encoding: 'utf8',
  });
  expect(stderr).toContain('KEY_NOT_WRITABLE');
  expect(existsSync(findEvidenceKeyFile(env))).toBe(false);
});
