import { describe, expect, it } from 'vitest';
import { calibrate, listModels, parseModelManifest } from '../../../../src/vision/models/manifest.ts';
import { makeTinyClassifier, makeTinyManifest } from '../pictures.ts';

/** The manifest with one value replaced; `path` as in `models.0.input.width`. */
function changed(path: string, value: unknown): string {
  const manifest = makeTinyManifest();
  const steps = path.split('.');
  const last = steps.pop() as string;
  const place = steps.reduce<Record<string, unknown>>(
    (at, step) => at[step] as Record<string, unknown>,
    manifest as never,
  );
  if (value === undefined) delete place[last];
  else place[last] = value;
  return JSON.stringify(manifest);
}

describe('parseManifest', () => {
  it('reads both models whatever their order', () => {
    const manifest = makeTinyManifest();
    manifest.models.reverse();
    const { damage, parts } = parseModelManifest(JSON.stringify(manifest), 'm.json');
    expect(damage.labels).toHaveLength(8);
    expect(damage.limits.default).toEqual({ certain: 0.5, to_check: 0.3 });
    expect(parts.labels[3]).toBe('hood');
    expect(damage.weights).toMatchObject({ precision: 'fp32', file: 'damage-fp32.onnx' });
  });

  const tiny = makeTinyManifest().models;
  const score = { outputs: { score: 'score' } };
  const further = {
    vehicle: { ...tiny[1], id: 'vehicle', task: 'presence', labels: ['vehicle'], threshold: 0.2, ...score },
    classifier: makeTinyClassifier(),
    plates: { ...tiny[0], id: 'plates', labels: ['plate'], threshold: 0.4 },
  };
  const parseWith = (name: keyof typeof further, more: object = {}) => {
    const models = [...tiny, { ...further[name], ...more }];
    return parseModelManifest(JSON.stringify({ schema_version: 1, models }), 'm.json');
  };

  it.each([
    ['vehicle', { threshold: 0.2, ...score }],
    ['classifier', { box_input: 'boxes', outputs: { damage: 'damage' } }],
    ['plates', { task: 'detect', threshold: 0.4, nms_iou: 0.6 }],
  ] as const)('reads a model %s too', (name, read) => {
    const manifest = parseWith(name);
    expect(manifest[name]).toMatchObject(read);
    expect(listModels(manifest).map(({ id }) => id)).toEqual(['damage', 'parts', name]);
  });

  it.each([
    ['vehicle', 'threshold', { threshold: 2 }],
    ['vehicle', 'labels', { labels: ['car'] }],
    ['vehicle', 'task', { task: 'detect' }],
    ['vehicle', 'score', { outputs: {} }],
    ['classifier', 'task', { task: 'detect' }],
    ['classifier', 'box_input', { box_input: 3 }],
    ['classifier', 'labels', { labels: ['scratch', 'scrape'] }],
    ['classifier', 'kinds', { outputs: { damage: 'damage' } }],
    ['classifier', 'height', { input: { ...(further.classifier.input as object), height: 48 } }],
    ['plates', 'threshold', { threshold: 0 }],
    ['plates', 'labels', { labels: ['face'] }],
    ['plates', 'task', { task: 'mask' }],
    ['plates', 'scores', { outputs: { boxes: 'boxes' } }],
    ['plates', 'nms_iou', { nms_iou: 2 }],
    ['plates', 'models', { id: 'parts' }],
    ['plates', 'models has two of one id', tiny[1]],
  ] as const)('refuses a model %s with a wrong %s', (name, place, more) => {
    expect(() => parseWith(name, more)).toThrow(place);
  });

  it.each([
    ['schema_version', 2],
    ['models', {}],
    ['models', []],
    ['models.1.id', 'damage'],
    ['models.0.task', 'segment'],
    ['models.0.version', 'new'],
    ['models.0.weights.precision', 'fp16'],
    ['models.0.weights.file', '../damage-fp32.onnx'],
    ['models.0.weights.file', 'a\\b.onnx'],
    ['models.0.weights.file', '..onnx'],
    ['models.0.weights.file', 'damage.onnx\u0000.txt'],
    ['models.0.weights.file', 'damage.bin'],
    ['models.0.weights.sha256', 'C4BB'],
    ['models.0.weights.bytes', 1e12],
    ['models.0.input.width', 1e9],
    ['models.0.input.layout', 'NHWC'],
    ['models.0.input.channels', 'BGR'],
    ['models.0.input.resize', 'contain'],
    ['models.0.input.mean', [0.5, 0.5]],
    ['models.0.input.std', [0.5, 0.5, 0]],
    ['models.0.outputs.boxes', undefined],
    ['models.0.labels', ['scratch', 'scratch']],
    ['models.0.nms_iou', null],
    ['models.0.limits.low', undefined],
    ['models.0.limits.default', { certain: 0.2, to_check: 0.3 }],
    ['models.0.limits.high.certain', 1.1],
    ['models.0.judge', { file: '../weights.json', sha256: 'a'.repeat(64), bytes: 9 }],
    ['models.0.calibration.crack', undefined],
    ['models.0.calibration.crack', { x: [0, 0], y: [0, 1] }],
    ['models.0.calibration.crack', { x: [0, 1], y: [1, 0] }],
    ['models.0.calibration.crack', { x: [0, 0.5, 1], y: [0, 1] }],
    ['models.0.name', 'a\u001b[2J'],
    ['models.1.labels', ['hood', 'background']],
    ['models.1.outputs.stride', 5],
  ])('refuses %s = %j and names the place', (path, value) => {
    const [place] = path.split('.');
    const message = expect.stringMatching(`^/some/manifest.json: .*${place}`);
    expect(() => parseModelManifest(changed(path, value), '/some/manifest.json')).toThrow(
      expect.objectContaining({ kind: 'engine', code: 'MODEL_MANIFEST_INVALID', message }),
    );
  });

  it.each(['{', '[]', '{"schema_version":1,"models":[null,null]}'])('refuses the text %j', (text) => {
    const refusal = expect.objectContaining({ code: 'MODEL_MANIFEST_INVALID' });
    expect(() => parseModelManifest(text, 'm.json')).toThrow(refusal);
  });
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
