import { VehiError } from '../../lib/errors.ts';
import type { Model } from './manifest.ts';

/** A tensor declared by a loaded model; a symbolic dimension is a string. */
export interface TensorShape {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly (number | string)[];
}

/** Shape required by the manifest, by tensor name; `null` is a free dimension (the number of candidate boxes). */
type ExpectedShapes = Readonly<Record<string, readonly (number | null)[]>>;

function listInputs(model: Model): ExpectedShapes {
  const { name, width, height } = model.input;
  const picture = { [name]: [1, 3, height, width] };
  return model.task === 'classify' ? { ...picture, [model.box_input]: [1, 4] } : picture;
}

function listOutputs(model: Model): ExpectedShapes {
  const labelCount = model.labels.length;
  switch (model.task) {
    case 'presence':
      return { [model.outputs.score]: [1, 1] };
    case 'classify': {
      const { damage, kinds, vehicle } = model.outputs;
      return { [damage]: [1, 1], [kinds]: [1, labelCount], ...(vehicle && { [vehicle]: [1, 1] }) };
    }
    case 'segment': {
      const { logits, stride, look: embedding } = model.outputs;
      const { width, height } = model.input;
      const grid = [1, labelCount, height / stride, width / stride];
      return { [logits]: grid, ...(embedding && { [embedding]: [1, null] }) };
    }
    case 'detect':
      return { [model.outputs.boxes]: [1, null, 4], [model.outputs.scores]: [1, null, labelCount] };
  }
}

/**
 * Validates the tensors of a loaded model against the manifest.
 * @throws VehiError `MODEL_SHAPE_MISMATCH` naming the tensor, the actual shape and the required one.
 */
export function checkShapes(
  model: Model,
  inputs: readonly TensorShape[],
  outputs: readonly TensorShape[],
): void {
  const expectedInputs = listInputs(model);
  checkTensors(model, 'input', expectedInputs, inputs);
  checkTensors(model, 'output', listOutputs(model), outputs);
  const inputCount = Object.keys(expectedInputs).length;
  if (inputs.length !== inputCount) throwMismatch(model, `${inputs.length} inputs, needed: ${inputCount}`);
  if (model.task !== 'detect') return;
  const [boxes, scores] = [model.outputs.boxes, model.outputs.scores].map(
    (name) => outputs.find((one) => one.name === name)?.shape[1],
  );
  if (boxes !== scores) throwMismatch(model, `${boxes} boxes but ${scores} rows of scores`);
}

function checkTensors(
  model: Model,
  kind: 'input' | 'output',
  expected: ExpectedShapes,
  actual: readonly TensorShape[],
): void {
  for (const [name, sides] of Object.entries(expected)) {
    const tensor = actual.find((one) => one.name === name);
    if (tensor === undefined) {
      const names = actual.map((one) => one.name).join(', ') || 'none';
      throwMismatch(model, `no ${kind} "${name}" (it has: ${names})`);
    }
    const { type, shape } = tensor;
    const fits = (side: number | null, at: number) => (side === null ? shape[at] !== 0 : side === shape[at]);
    if (type === 'float32' && shape.length === sides.length && sides.every(fits)) continue;
    const needed = sides.map((side) => side ?? 'N').join(', ');
    throwMismatch(model, `${kind} "${name}" of ${type} [${shape.join(', ')}], needed: float32 [${needed}]`);
  }
}

function throwMismatch(model: Model, what: string): never {
  throw new VehiError('engine', 'MODEL_SHAPE_MISMATCH', `model ${model.name} ${model.version} has ${what}`, {
    hint: 'The file is not the model its manifest describes. Reinstall vehi, or correct the folder given by --models DIR (VEHI_MODEL_DIR).',
  });
}
