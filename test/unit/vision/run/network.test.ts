import { expect, test } from 'vitest';
import { parseModelManifest } from '../../../../src/vision/models/manifest.ts';
import { createNetwork } from '../../../../src/vision/run/network.ts';
import { makeTinyManifest } from '../pictures.ts';

const { parts } = parseModelManifest(JSON.stringify(makeTinyManifest()), 'm.json');

/** Returns what a parts model of these outputs says of a black picture. */
async function segment(outputs: Readonly<Record<string, readonly number[]>>, isEmbeddingPromised: boolean) {
  const { width, height } = parts.input;
  const tensor = (name: string, ...shape: number[]) => ({ name, type: 'float32', shape });
  const network = createNetwork(
    { ...parts, outputs: { ...parts.outputs, ...(isEmbeddingPromised ? { look: 'look' } : {}) } },
    {
      inputs: [tensor('images', 1, 3, height, width)],
      outputs: [tensor('logits', 1, 25, 16, 16), tensor('look', 1, 2)],
      run: async (_, read) =>
        read(
          Object.fromEntries(Object.entries(outputs).map(([name, all]) => [name, Float32Array.from(all)])),
        ),
      release: async () => {},
    },
  );
  return network.infer({ rgb: new Uint8Array(3 * width * height) });
}

const logits = Array.from({ length: 25 * 16 * 16 }, () => 0);

test('a parts map carries the embedding that its model gives', async () => {
  expect(await segment({ logits, look: [-1, 0] }, true)).toMatchObject({
    width: 16,
    height: 16,
    embedding: [-1, 0],
  });
});

test('a parts model without one has no embedding', async () => {
  expect(await segment({ logits }, false)).not.toHaveProperty('embedding');
});
