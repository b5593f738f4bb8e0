// @module-tag slow: whole inspections
import { mkdirSync, statSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import { openFolder } from '../../helpers/cli/claim-folder.ts';
import { countDecodes, decodes } from '../../helpers/photos/decodes.ts';
import { addPlates, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';

vi.mock('../../../src/images/sharp.ts', async (original) => {
  const real = await original<typeof import('../../../src/images/sharp.ts')>();
  return { ...real, openImage: countDecodes(real.openImage) };
});

const { at, run } = openFolder('opens');
const photo = at('fleet/car/front.jpg');
mkdirSync(at('fleet/car'), { recursive: true });
await writeDrawnCar(photo);
addPlates(at('plates'));

beforeEach(() => decodes.clear());

it.each([
  ['once for a result alone', 'inspect fleet/car -o result.json', 1],
  [
    'twice with annotated photos, reports and the search for plates',
    `inspect fleet/car --annotated all -o all.pdf -o all.html --models ${at('plates')}`,
    2,
  ],
  ['twice with a report', 'inspect fleet/car -o only.html', 2],
  ['twice in a fleet with both', 'inspect --many fleet -o res -o html=docs --annotated boxes', 2],
  ['once for both reports of a kept result', 'report result.json -o r.pdf -o r.html', 1],
])('a photo is decoded %s', { timeout: 180_000 }, async (_, line, times) => {
  const { code, stderr } = await run(line);
  expect(stderr).not.toContain('is not shown');
  expect(code).toBe(0);
  expect(decodes.get(statSync(photo).size)).toBe(times);
});
