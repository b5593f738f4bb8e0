// @module-tag slow: whole inspections
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runIn } from '../../helpers/cli/claim-folder.ts';
import { countDecodes, decodes } from '../../helpers/photos/decodes.ts';
import { addPlates, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

vi.mock('../../../src/images/sharp.ts', async (original) => {
  const real = await original<typeof import('../../../src/images/sharp.ts')>();
  return { ...real, openImage: countDecodes(real.openImage) };
});

const folder = makeOwnFolder('opens');
const photo = join(folder, 'fleet/car/front.jpg');
mkdirSync(dirname(photo), { recursive: true });
await writeDrawnCar(photo);
const env = { VEHI_MODEL_DIR: join(folder, 'models') };
addPlates(env.VEHI_MODEL_DIR);

describe('a photo is decoded', { timeout: 180_000 }, () => {
  beforeEach(() => decodes.clear());

  it.each([
    ['once for a result alone', ['inspect', 'fleet/car', '-o', 'result.json'], 1],
    [
      'twice with annotated photos, reports and blurred plates',
      ['inspect', 'fleet/car', '--annotated', 'all', '-o', 'all.pdf', '-o', 'all.html'],
      2,
    ],
    ['twice with reports and blurred plates', ['inspect', 'fleet/car', '-o', 'only.pdf'], 2],
    [
      'twice in a fleet with all of that',
      ['inspect', '--many', 'fleet', '-o', 'res', '-o', 'pdf=docs', '--annotated', 'boxes'],
      2,
    ],
    ['once for both reports of a kept result', ['report', 'result.json', '-o', 'r.pdf', '-o', 'r.html'], 1],
  ])('%s', async (_what, args, times) => {
    const { code, stderr } = await runIn(folder, args, '', env);
    expect(stderr).not.toContain('is not shown');
    expect([0, 1]).toContain(code);
    expect(decodes.get(statSync(photo).size)).toBe(times);
  });
});
