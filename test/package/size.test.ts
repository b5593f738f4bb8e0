import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { FIXTURES, ROOT } from '../helpers/cli/run-cli.ts';

const MOST_MEGABYTES = 300;

test('the documented command leaves what runs here, in less than 300 MB', () => {
  const folder = inject('installed');
  const docs = readFileSync(join(ROOT, 'docs/using/configuration.md'), 'utf8');
  const [, command = ''] = /^cd "\$\(npm root -g\)[^\n]*\n(for lib in [\s\S]*?^done)$/m.exec(docs) ?? [];
  expect(command).not.toBe('');
  execFileSync('bash', ['-euc', command], { cwd: folder });
  const [size] = execFileSync('du', ['-sm', 'node_modules'], { cwd: folder, encoding: 'utf8' }).split('\t');
  expect(Number(size)).toBeLessThan(MOST_MEGABYTES);
  const args = ['node_modules/vehi/bin/vehi.js', 'inspect', join(FIXTURES, 'vehicle/front.jpg'), '--json'];
  expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toContain('"success"');
});

test('what only several machines need is not installed, and named with its command when it is asked for', () => {
  const folder = inject('installed');
  const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const packages = Object.entries(peerDependencies).map(([name, version]) => `${name}@${version}`);
  expect(readFileSync(join(ROOT, 'docs/scale.md'), 'utf8')).toContain(` ${packages.join(' ')}\n`);
  const shared = ['--database', 'postgres://u@127.0.0.1:1/x'];
  for (const [missing, objects] of [
    ['pg', `file://${folder}/objects`],
    ['s3mini', 's3://vehi-files?endpoint=http://127.0.0.1:1'],
  ] as const) {
    const work = ['node_modules/vehi/bin/vehi.js', 'work', '--base-url', 'http://127.0.0.1:1'];
    const { status, stderr } = spawnSync(process.execPath, [...work, ...shared, '--objects', objects], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
    });
    expect(stderr).toContain(`vehi: ${missing} is not installed`);
    expect(stderr).toContain(`npm i ${packages.join(' ')}`);
    expect(status).toBe(2);
  }
});
