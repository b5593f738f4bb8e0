import { expect, it } from 'vitest';
import { type Manifest, parseModelManifest } from '../../../../src/vision/models/manifest.ts';
import { checkShapes, type TensorShape } from '../../../../src/vision/models/model-shapes.ts';
import { makeTinyClassifier, makeTinyManifest } from '../pictures.ts';

const manifest = makeTinyManifest();
manifest.models.push(makeTinyClassifier());
const { damage, parts, classifier } = parseModelManifest(
  JSON.stringify(manifest),
  'm.json',
) as Required<Manifest>;
type Shape = readonly (number | string)[];
const tensor = (name: string, ...shape: Shape): TensorShape => ({ name, type: 'float32', shape });
const images = tensor('images', 1, 3, 64, 64);
const closeUp = [tensor('images', 1, 3, 32, 32), tensor('boxes', 1, 4)];
const detected = (boxes: Shape, scores: Shape) => [tensor('boxes', ...boxes), tensor('scores', ...scores)];
const good = detected([1, 77, 4], [1, 77, 8]);
const logits = tensor('logits', 1, 25, 16, 16);
const withLook = { ...parts, outputs: { ...parts.outputs, look: 'look' } };
const judged = (kinds: number) => [tensor('damage', 1, 1), tensor('kinds', 1, kinds)];

it.each([
  ['any number of candidates, and more outputs', damage, [images], [...good, tensor('extra', 5)]],
  ['a grid of the stride', parts, [images], [logits]],
  ['a look of any length', withLook, [images], [logits, tensor('look', 1, 7)]],
  ['a box to ask about', classifier, closeUp, judged(8)],
])('accepts %s', (_, model, inputs, outputs) => {
  expect(checkShapes(model, inputs, outputs)).toBeUndefined();
});

it.each([
  ['another input name', damage, [tensor('x', 1, 3, 64, 64)], good, 'no input "images" (it has: x)'],
  ['another size', damage, closeUp.slice(0, 1), good, '[1, 3, 32, 32], needed: float32 [1, 3, 64, 64]'],
  ['an open batch', damage, [tensor('images', 'batch', 3, 64, 64)], good, '[batch, 3, 64, 64]'],
  ['another type', damage, [{ ...images, type: 'uint8' }], good, 'uint8'],
  ['a second input', damage, [images, tensor('more', 1)], good, '2 inputs'],
  ['a missing output', damage, [images], good.slice(0, 1), 'no output "scores"'],
  ['fewer classes', damage, [images], detected([1, 77, 4], [1, 77, 7]), 'needed: float32 [1, N, 8]'],
  ['fewer dimensions', damage, [images], detected([77, 4], [1, 77, 8]), '"boxes"'],
  ['no candidates', damage, [images], detected([1, 0, 4], [1, 0, 8]), '"boxes"'],
  ['unequal rows', damage, [images], detected([1, 76, 4], [1, 77, 8]), '76 boxes but 77 rows'],
  ['another stride', parts, [images], [tensor('logits', 1, 25, 8, 8)], '[1, 25, 16, 16]'],
  ['no look', withLook, [images], [logits], 'no output "look"'],
  ['no box to ask about', classifier, closeUp.slice(0, 1), judged(8), 'no input "boxes"'],
  ['fewer kinds', classifier, closeUp, judged(7), 'needed: float32 [1, 8]'],
])('refuses %s', (_, model, inputs, outputs, message) => {
  const refusal = { code: 'MODEL_SHAPE_MISMATCH', message: expect.stringContaining(message) };
  expect(() => checkShapes(model, inputs, outputs)).toThrow(expect.objectContaining(refusal));
});
