import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { choosePostgres, findPrograms } from '../../../../src/cli/cluster/find-programs.ts';
import { takeFolder } from '../../../../src/cli/cluster/folder.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vehi-programs-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function install(names: readonly string[], version = '17.2'): string {
  const bin = join(directory, `bin-${version}`);
  mkdirSync(bin);
  for (const name of names) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} (PostgreSQL) ${version}"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

const SERVER = ['initdb', 'postgres', 'pg_ctl', 'pg_isready', 'createdb'];

describe('the programs of a cluster', () => {
  it('are those on the path before those that are only installed, Valkey where there is no Redis', () => {
    const bin = install([...SERVER, 'valkey-server']);
    const found = findPrograms({ PATH: bin });
    expect(found.postgres[0]).toMatchObject({ folder: expect.stringContaining('bin-17.2'), major: 17 });
    expect(found.redis).toBe(join(bin, 'valkey-server'));
  });

  it('are named where they are missing, with what to install', () => {
    expect(() => findPrograms({ PATH: directory })).toThrow(
      expect.objectContaining({
        code: 'PROGRAM_MISSING',
        message: expect.stringContaining('redis-server'),
        hint: expect.stringContaining('apt-get install -y postgresql redis-server'),
      }),
    );
  });

  it('are of the version that made the data', () => {
    const found = [
      { folder: '/a', major: 17 },
      { folder: '/b', major: 15 },
    ];
    expect(choosePostgres(found, undefined).major).toBe(17);
    expect(choosePostgres(found, 15).folder).toBe('/b');
    expect(() => choosePostgres(found, 16)).toThrow(/is of PostgreSQL 16, .*found: 17, 15/);
  });
});

describe('the folder of a cluster', () => {
  it.each([
    [
      'holds something else',
      'CLUSTER_FOLDER_NOT_OURS',
      () => directory,
      () => writeFileSync(join(directory, 'a.jpg'), ''),
    ],
    [
      'has too long a path',
      'CLUSTER_FOLDER_TOO_LONG',
      () => join(directory, 'x'.repeat(90)),
      () => undefined,
    ],
    [
      'cannot be made',
      'CLUSTER_FOLDER_UNUSABLE',
      () => join(directory, 'file', 'try'),
      () => writeFileSync(join(directory, 'file'), ''),
    ],
  ])('that %s is refused', (_what, code, path, prepare) => {
    prepare();
    expect(() => takeFolder(path())).toThrow(expect.objectContaining({ code }));
  });
});
