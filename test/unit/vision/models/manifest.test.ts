import { expect, it } from 'vitest';
import type { VehiError } from '../../../../src/lib/errors.ts';
import { calibrate, listModels, parseModelManifest } from '../../../../src/vision/models/manifest.ts';
import { makeTinyClassifier, makeTinyManifest } from '../pictures.ts';

/** The tiny models, with the optional ones from the third on. */
function makeWholeManifest() {
  const { models, ...rest } = makeTinyManifest();
  const [damage, parts] = models;
  const score = { threshold: 0.2, outputs: { score: 'score' } };
  const plates = { ...damage, id: 'plates', labels: ['plate'], threshold: 0.4 };
  const vehicle = { ...parts, id: 'vehicle', task: 'presence', labels: ['vehicle'], ...score };
  return { ...rest, models: [...models, plates, vehicle, makeTinyClassifier()] };
}
const parse = (manifest: object) => parseModelManifest(JSON.stringify(manifest), 'm.json');

/** Lists the fields for which a manifest with other values is refused; undefined takes a field out. */
function listFaults(values: Readonly<Record<string, unknown>>): readonly unknown[] {
  // A structured clone would still share what models have alike.
  const manifest = JSON.parse(JSON.stringify(makeWholeManifest()));
  for (const [field, value] of Object.entries(values)) {
    const steps = field.split(/[.[\]]+/).filter(Boolean);
    const last = steps.pop() as string;
    const place = steps.reduce((at, step) => at[step] as never, manifest);
    place[last] = value;
  }
  try {
    return [parse(manifest)];
  } catch (error) {
    const { kind, code, details = {} } = error as VehiError;
    expect([kind, code]).toEqual(['engine', 'MODEL_MANIFEST_INVALID']);
    return (details.errors as { field: string }[]).map(({ field }) => field);
  }
}

it('reads models whatever their order, of which three are optional', () => {
  const tiny = makeTinyManifest();
  const { damage, parts } = parse({ ...tiny, models: tiny.models.toReversed() });
  expect(damage.limits.default).toEqual({ certain: 0.5, to_check: 0.3 });
  expect(damage.weights).toMatchObject({ precision: 'fp32', file: 'damage-fp32.onnx' });
  expect([damage.labels.length, parts.labels[3]]).toEqual([8, 'hood']);
  const whole = parse(makeWholeManifest());
  expect(listModels(whole).map(({ id }) => id)).toEqual([
    ...['damage', 'parts', 'plates', 'vehicle', 'classifier'],
  ]);
  expect([whole.plates?.nms_iou, whole.vehicle?.outputs, whole.classifier?.box_input]).toEqual([
    ...[0.6, { score: 'score' }, 'boxes'],
  ]);
});

it('names every field that is wrong by itself', () => {
  const wrong = {
    'models[0].name': 'a\u001b[2J',
    'models[0].version': 'new',
    'models[0].weights.precision': 'fp16',
    'models[0].weights.file': 'damage.bin',
    'models[0].weights.sha256': 'C4BB',
    'models[0].weights.bytes': 1e12,
    'models[0].input.width': 1e9,
    'models[0].input.layout': 'NHWC',
    'models[0].input.channels': 'BGR',
    'models[0].input.resize': 'contain',
    'models[0].input.mean': [0.5, 0.5],
    'models[0].input.std[2]': 0,
    'models[0].outputs.boxes': undefined,
    'models[0].nms_iou': null,
    'models[0].limits.low': undefined,
    'models[0].limits.high.certain': 1.1,
    'models[0].calibration.crack': undefined,
    'models[2].nms_iou': 2,
    'models[2].threshold': 0,
    'models[3].task': 'detect',
    'models[3].threshold': 2,
    'models[4].box_input': 3,
    'models[4].outputs.kinds': undefined,
    schema_version: 2,
  };
  expect(listFaults(wrong).toSorted()).toEqual(Object.keys(wrong).toSorted());
});

it.each<[string, unknown, refused?: string]>([
  ...['../damage.onnx', 'a\\b.onnx', '..onnx', 'damage.onnx\u0000.txt'].map((file): [string, string] => [
    'models[0].weights.file',
    file,
  ]),
  ['models[0].judge', { file: '../j.json', sha256: 'a'.repeat(64), bytes: 9 }, 'models[0].judge.file'],
  ['models[0].labels', ['scratch', 'scratch']],
  ['models[0].limits.default.to_check', 0.6],
  ['models[0].calibration.crack.x', [0, 0, 1]],
  ['models[0].calibration.crack.y', [0, 1, 0]],
  ['models[0].calibration.crack.y', [0, 1]],
  ['models[1].labels', ['hood', 'background']],
  ['models[1].outputs.stride', 5],
  ['models[2].labels', ['face'], 'models[2].labels[0]'],
  ['models[4].labels', ['scratch', 'dent']],
  ['models[4].input.height', 48],
  // Twice the same, and without the parts.
  ['models[3]', makeTinyManifest().models[1], 'models'],
  ['models', makeWholeManifest().models.filter(({ id }) => id !== 'parts')],
  ['models', []],
])('refuses %s as %j', (field, value, refused = field) => {
  expect(listFaults({ [field]: value })).toEqual([refused]);
});

it.each([
  [0, 0],
  [0.1, 0],
  [0.3, 0.15],
  [0.7, 0.625],
  [1, 0.95],
])('the score %d is a probability of %d', (score, probability) => {
  expect(calibrate({ x: [0.1, 0.5, 0.9], y: [0, 0.3, 0.95] }, score)).toBeCloseTo(probability, 10);
});
