import { appendFile, cp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { loadManifest, recordModelUsed, verifyModel } from '../../../../src/vision/models/model-files.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';
import { TINY } from '../pictures.ts';

let dir: string;
beforeEach(async () => {
  dir = makeOwnFolder('models');
  await cp(TINY, dir, { recursive: true });
});

it('gives the file whose hash is in the manifest', async () => {
  const { damage } = await loadManifest(dir);
  const loaded = await verifyModel(dir, damage);
  expect(loaded.file).toMatchObject({ path: join(dir, 'damage-fp32.onnx'), sha256: damage.weights.sha256 });
  const used = { id: 'damage', name: 'tiny-colors', version: '0.0.1', precision: 'fp32' };
  expect(recordModelUsed(damage)).toMatchObject(used);
});

it.each([
  ['the limits', { limits: { low: { certain: 0.9, to_check: 0.9 } } }, true],
  ['the judge', { judge: { file: 'x.json', sha256: 'a'.repeat(64), bytes: 1 } }, true],
  ['a figure', { measured: { new: 1 } }, false],
])('distinguishes models by %s', async (_, change, differs) => {
  const of = async () => recordModelUsed((await loadManifest(dir)).damage).rules_sha256;
  const before = await of();
  const path = join(dir, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  const [damage] = manifest.models;
  const limits = { ...damage.limits, ...(change as { limits?: object }).limits };
  manifest.models[0] = { ...damage, ...change, limits };
  await writeFile(path, JSON.stringify(manifest));
  expect((await of()) !== before).toBe(differs);
});

it.each([
  ['no manifest', 'MODEL_MANIFEST_MISSING', 'manifest.json', rm],
  ['a huge manifest', 'MODEL_MANIFEST_INVALID', 'manifest.json', (file: string) => truncate(file, 2 ** 21)],
  ['a missing file', 'MODEL_FILE_MISSING', 'damage-fp32.onnx', rm],
  ['a truncated file', 'MODEL_HASH_MISMATCH', 'damage-fp32.onnx', (file: string) => truncate(file, 100)],
  ['a longer file', 'MODEL_HASH_MISMATCH', 'damage-fp32.onnx', (file: string) => appendFile(file, 'x')],
])('refuses %s and says what to do', async (_, code, name, spoil) => {
  await spoil(join(dir, name));
  const load = async () => verifyModel(dir, (await loadManifest(dir)).damage);
  await expect(load()).rejects.toMatchObject({
    kind: 'engine',
    code,
    message: expect.stringContaining(name),
    hint: expect.stringContaining('--models DIR'),
  });
});
