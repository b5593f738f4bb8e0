import { expect, test } from 'vitest';
import { parseModelManifest } from '../../../../src/vision/models/manifest.ts';
import { createNetwork, makeChannelTables, toPlanes } from '../../../../src/vision/run/network.ts';
import { makeTinyManifest } from '../pictures.ts';

const { parts } = parseModelManifest(JSON.stringify(makeTinyManifest()), 'm.json');

test.each([
  ['carries the embedding that its model promises', { look: 'look' }, [-1, 0]],
  ['has no embedding where its model promises none', {}, undefined],
])('a parts map %s', async (_, promised, embedding) => {
  const { width, height } = parts.input;
  const tensor = (name: string, ...shape: number[]) => ({ name, type: 'float32', shape });
  const results = { logits: new Float32Array(25 * 16 * 16), look: Float32Array.of(-1, 0) };
  const network = createNetwork(
    { ...parts, outputs: { ...parts.outputs, ...promised } },
    {
      inputs: [tensor('images', 1, 3, height, width)],
      outputs: [tensor('logits', 1, 25, 16, 16), tensor('look', 1, 2)],
      run: async (_values, read) => read(results),
      release: async () => {},
    },
  );
  const map = await network.infer({ rgb: new Uint8Array(3 * width * height) });
  expect(map).toMatchObject({ width: 16, height: 16 });
  expect((map as { embedding?: number[] }).embedding).toEqual(embedding);
});

test('a picture is put into a plane per channel, scaled as the manifest says', () => {
  const tables = makeChannelTables({ mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] });
  const planes = new Float32Array(6).fill(99);
  toPlanes(Uint8Array.of(0, 128, 255, 255, 0, 51), tables, planes);
  for (const [i, value] of [-2.1179, 2.2489, 0.2052, -2.0357, 2.64, -0.9156].entries())
    expect(planes[i]).toBeCloseTo(value, 3);
});
