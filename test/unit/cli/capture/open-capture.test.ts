import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCaptureFolder } from '../../../../src/cli/capture/capture-folder.ts';
import { openCapture } from '../../../../src/cli/capture/open-capture.ts';
import type { Engine } from '../../../../src/engine/engine.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

/** A capture whose photos are texts: a plate, or `png` and a plate for a photo of that format. */
async function capture() {
  const path = join(makeOwnFolder('capture'), 'car');
  const folder = await openCaptureFolder(path);
  const checkPhoto = (async ({ bytes }: { readonly bytes: Uint8Array }) => {
    const [plate, format] = Buffer.from(bytes).toString().split(' ').reverse();
    return { ok: true, facts: { format: format ?? 'jpeg' }, hints: [], appearance: { paint: null, plate } };
  }) as unknown as Engine['checkPhoto'];
  const shots = (['front', 'rear', 'left_side'] as const).map((slot) => ({ slot, takes_several: false }));
  const run = { path, folder, shots, vehicleId: 'car', language: 'en', engine: { checkPhoto } } as never;
  const { save, ...opened } = await openCapture(run, () => undefined);
  return {
    ...opened,
    save: (slot: string, text: string) => save(slot, Buffer.from(text)),
    hints: () =>
      opened
        .getState()
        .shots.flatMap(({ photos }) => photos)
        .flatMap(({ name, hints }) => hints.map((hint) => `${name}: ${JSON.stringify(hint)}`)),
  };
}

test('which photo shows another vehicle follows from all photos that are there', async () => {
  const { save, hints } = await capture();
  await save('front', 'png OTHER1');
  await save('rear', 'MINE77');
  expect(hints()).toEqual(['rear.jpg: {"code":"other_vehicle","photo":"front.png"}']);
  await save('left_side', 'MINE77');
  expect(hints()).toEqual(['front.png: {"code":"other_vehicle","photo":"rear.jpg"}']);
  await save('front', 'MINE77');
  expect(hints()).toEqual([]);
});

test('a photo that comes during the inspection leaves the capture open', async () => {
  const { save, getState, startInspecting, endInspecting } = await capture();
  startInspecting();
  await save('front', 'MINE77');
  expect(getState().stage).toBe('inspecting');
  endInspecting('finished', ['repair: $0']);
  expect(getState()).toMatchObject({ stage: 'open', outcome: ['repair: $0'] });
  startInspecting();
  endInspecting('finished', []);
  expect(getState().stage).toBe('finished');
});
