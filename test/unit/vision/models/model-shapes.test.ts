import { describe, expect, it } from 'vitest';
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
const both = [tensor('images', 1, 3, 32, 32), tensor('boxes', 1, 4)];

describe('checkShapes', () => {
  it('accepts what the manifest promises, with any number of candidates', () => {
    const found = [tensor('boxes', 1, 77, 4), tensor('scores', 1, 77, 8), tensor('extra', 5)];
    const heads = [tensor('damage', 1, 1), tensor('kinds', 1, 8)];
    expect(() => checkShapes(damage, [images], found)).not.toThrow();
    expect(() => checkShapes(parts, [images], [tensor('logits', 1, 25, 16, 16)])).not.toThrow();
    expect(() => checkShapes(classifier, both, heads)).not.toThrow();
  });

  const detected = (boxes: Shape, scores: Shape) => [tensor('boxes', ...boxes), tensor('scores', ...scores)];
  const good = detected([1, 77, 4], [1, 77, 8]);
  it.each([
    ['another input name', [tensor('x', 1, 3, 64, 64)], good, 'no input "images" (it has: x)'],
    ['another input size', both.slice(0, 1), good, '[1, 3, 32, 32], needed: float32 [1, 3, 64, 64]'],
    ['an open batch', [tensor('images', 'batch', 3, 64, 64)], good, '[batch, 3, 64, 64]'],
    ['another type', [{ ...images, type: 'uint8' }], good, 'uint8'],
    ['a second input', [images, tensor('more', 1)], good, '2 inputs'],
    ['a missing output', [images], good.slice(0, 1), 'no output "scores"'],
    ['fewer classes', [images], detected([1, 77, 4], [1, 77, 7]), 'needed: float32 [1, N, 8]'],
    ['fewer dimensions', [images], detected([77, 4], [1, 77, 8]), '"boxes"'],
    ['no candidates', [images], detected([1, 0, 4], [1, 0, 8]), '"boxes"'],
    ['unequal rows', [images], detected([1, 76, 4], [1, 77, 8]), '76 boxes but 77 rows'],
  ])('refuses %s', (_, inputs, outputs, message) => {
    const refusal = { code: 'MODEL_SHAPE_MISMATCH', message: expect.stringContaining(message) };
    expect(() => checkShapes(damage, inputs, outputs)).toThrow(expect.objectContaining(refusal));
  });

  it('refuses a grid of another stride', () => {
    expect(() => checkShapes(parts, [images], [tensor('logits', 1, 25, 8, 8)])).toThrow('[1, 25, 16, 16]');
  });

  it('takes a look of any length, but not none where the manifest promises one', () => {
    const withLook = { ...parts, outputs: { ...parts.outputs, look: 'look' } };
    const logits = tensor('logits', 1, 25, 16, 16);
    expect(() => checkShapes(withLook, [images], [logits, tensor('look', 1, 7)])).not.toThrow();
    expect(() => checkShapes(withLook, [images], [logits])).toThrow('no output "look"');
  });

  it.each([
    ['no box to ask about', both.slice(0, 1), 8, 'no input "boxes"'],
    ['fewer kinds', both, 7, 'needed: float32 [1, 8]'],
  ])('refuses a classifier with %s', (_, inputs, kinds, message) => {
    const heads = [tensor('damage', 1, 1), tensor('kinds', 1, kinds)];
    expect(() => checkShapes(classifier, inputs, heads)).toThrow(message);
  });
});
