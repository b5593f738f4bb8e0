import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import {
  readDatabaseAddress,
  readSharedAddresses,
  type SharedFlags,
  warnOfPassword,
} from '../../../../src/cli/service/shared-addresses.ts';
import { openObjects } from '../../../../src/cli/service/store.ts';
import type { CliContext } from '../../../../src/cli/terminal/context.ts';

const ALL = { database: 'postgres://db/vehi', objects: 'file:///srv/files' };
const withEnv = (env: Record<string, string>) => ({ env }) as unknown as CliContext;

it('nothing said is a data directory of its own', () => {
  expect(readSharedAddresses({ data: 'x' }, withEnv({}))).toBeUndefined();
  expect(readSharedAddresses({}, withEnv({ VEHI_DATABASE: '' }))).toBeUndefined();
  expect(readDatabaseAddress({ data: 'x' }, withEnv({}))).toBeUndefined();
});

it('all are taken from flags and environment, flags first', () => {
  const env = { VEHI_DATABASE: 'postgres://other', VEHI_OBJECTS: ALL.objects };
  expect(readSharedAddresses({ database: ALL.database }, withEnv(env))).toEqual(ALL);
});

it.each<[string, SharedFlags, RegExp]>([
  ['a data directory as well', { ...ALL, data: 'x' }, /^--data keeps everything in one process/],
  ['memory as well', { ...ALL, ephemeral: true }, /^--ephemeral keeps everything/],
  ['another database', { ...ALL, database: 'mysql://db' }, /not a postgres:/],
])('is refused where %s', (_name, flags, message) => {
  expect(() => readSharedAddresses(flags, withEnv({}))).toThrow(message);
});

it.each(['file://srv/vehi-files', 'file:///srv%2Fvehi-files', 'file:vehi'])(
  '%s names no folder of all machines',
  (objects) => expect(openObjects(objects, { env: {} })).rejects.toThrow(/^--objects is neither/),
);

it('a refused address of objects is not repeated, because it may hold a key', async () => {
  const objects = 'https://AKIA:SECRET@s3.example.com/bucket';
  await expect(openObjects(objects, { env: {} })).rejects.toThrow(/^--objects is neither/);
  await expect(openObjects(objects, { env: {} })).rejects.not.toThrow(/SECRET/);
});

it.each([
  ['postgres://user:pw@db/vehi', true],
  ['postgres://db/vehi?user=u&password=pw', true],
  ['postgres://user@db/vehi', false],
])('%s warns of a password: %s', async (database, warns) => {
  const stderr = new PassThrough();
  await warnOfPassword({ database }, { stderr } as unknown as CliContext);
  expect(stderr.readableLength > 0).toBe(warns);
});
