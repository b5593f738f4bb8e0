import { VehiError } from '../../lib/errors.ts';
import type { Model } from './manifest.ts';

/** A tensor declared by a loaded model; a symbolic dimension is a string. */
export interface TensorShape {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly (number | string)[];
}

/** A tensor required by the manifest; `null` is a free dimension (the number of candidate boxes). */
interface ExpectedTensor {
  readonly name: string;
  readonly shape: readonly (number | null)[];
}

function listExpectedInputs(model: Model): ExpectedTensor[] {
  const { name, width, height } = model.input;
  const picture = { name, shape: [1, 3, height, width] };
  return model.task === 'classify' ? [picture, { name: model.box_input, shape: [1, 4] }] : [picture];
}

function listExpectedOutputs(model: Model): ExpectedTensor[] {
  const labelCount = model.labels.length;
  switch (model.task) {
    case 'presence':
      return [{ name: model.outputs.score, shape: [1, 1] }];
    case 'classify': {
      const { damage, kinds, vehicle } = model.outputs;
      return [
        { name: damage, shape: [1, 1] },
        { name: kinds, shape: [1, labelCount] },
        ...(vehicle === undefined ? [] : [{ name: vehicle, shape: [1, 1] }]),
      ];
    }
    case 'segment': {
      const { logits, stride, look: embedding } = model.outputs;
      const { width, height } = model.input;
      return [
        { name: logits, shape: [1, labelCount, height / stride, width / stride] },
        ...(embedding === undefined ? [] : [{ name: embedding, shape: [1, null] }]),
      ];
    }
    case 'detect':
      return [
        { name: model.outputs.boxes, shape: [1, null, 4] },
        { name: model.outputs.scores, shape: [1, null, labelCount] },
      ];
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
  const expectedInputs = listExpectedInputs(model);
  for (const input of expectedInputs) checkTensor(model, 'input', input, inputs);
  for (const output of listExpectedOutputs(model)) checkTensor(model, 'output', output, outputs);
  if (inputs.length !== expectedInputs.length)
    throwMismatch(model, `${inputs.length} inputs, needed: ${expectedInputs.length}`);
  if (model.task === 'detect') {
    const rows = [model.outputs.boxes, model.outputs.scores].map(
      (name) => outputs.find((one) => one.name === name)?.shape[1],
    );
    if (rows[0] !== rows[1]) throwMismatch(model, `${rows[0]} boxes but ${rows[1]} rows of scores`);
  }
}

function checkTensor(
  model: Model,
  kind: 'input' | 'output',
  expected: ExpectedTensor,
  actual: readonly TensorShape[],
): void {
  const tensor = actual.find((one) => one.name === expected.name);
  if (tensor === undefined) {
    const names = actual.map((one) => one.name).join(', ');
    throwMismatch(model, `no ${kind} "${expected.name}" (it has: ${names === '' ? 'none' : names})`);
  }
  const isMatch =
    tensor.type === 'float32' &&
    tensor.shape.length === expected.shape.length &&
    expected.shape.every((side, i) => (side === null ? tensor.shape[i] !== 0 : side === tensor.shape[i]));
  if (!isMatch) {
    const needed = expected.shape.map((side) => side ?? 'N').join(', ');
    throwMismatch(
      model,
      `${kind} "${expected.name}" of ${tensor.type} [${tensor.shape.join(', ')}], needed: float32 [${needed}]`,
    );
  }
}

function throwMismatch(model: Model, what: string): never {
  throw new VehiError('engine', 'MODEL_SHAPE_MISMATCH', `model ${model.name} ${model.version} has ${what}`, {
    hint: 'The file is not the model its manifest describes. Reinstall vehi, or correct the folder given by --models DIR (VEHI_MODEL_DIR).',
  });
}
