import { VehiError } from '../../lib/errors.ts';
import { defined } from '../../lib/objects.ts';
import { decodeBoxes } from '../boxes/decode-boxes.ts';
import { decodeParts } from '../boxes/decode-parts.ts';
import type { Model, ModelInput } from '../models/manifest.ts';
import { checkShapes } from '../models/model-shapes.ts';
import type { Task, TaskResult } from './protocol.ts';
import type { NetworkSession, Tensors } from './session.ts';

/** A model with preprocessing and decoding. */
export interface Network {
  /** Runs the model; `rgb` has exactly the model's input size, `box` is the classifier's input. */
  infer(task: Task): Promise<TaskResult>;
  release(): Promise<void>;
}

/**
 * Wraps a session according to its manifest entry; the input buffer is reused.
 * @throws VehiError `MODEL_SHAPE_MISMATCH`, and from `infer` `INFERENCE_FAILED`.
 */
export function createNetwork(model: Model, session: NetworkSession): Network {
  checkShapes(model, session.inputs, session.outputs);
  const { name, width, height } = model.input;
  const tables = makeChannelTables(model.input);
  const planes = new Float32Array(3 * width * height);
  return {
    async infer({ rgb, box = [0, 0, 1, 1] }) {
      if (rgb.length !== planes.length)
        throw new Error(`picture of ${rgb.length} bytes; ${planes.length} are needed`);
      toPlanes(rgb, tables, planes);
      const values = {
        [name]: planes,
        ...(model.task === 'classify' ? { [model.box_input]: Float32Array.from(box) } : {}),
      };
      return session.run(values, (results) => decode(model, results));
    },
    release: () => session.release(),
  };
}

function decode(model: Model, outputs: Tensors): TaskResult {
  const { input, labels } = model;
  if (model.task === 'segment') {
    const { logits, stride, look } = model.outputs;
    const [columns, rows] = [input.width / stride, input.height / stride];
    const cells = readTensor(model, outputs, logits, labels.length * columns * rows);
    return {
      parts: {
        ...decodeParts(cells, model.labels, columns, rows),
        ...(look === undefined ? {} : { look: [...readTensor(model, outputs, look)] }),
      },
    };
  }
  if (model.task === 'presence') {
    const [score = 0] = readTensor(model, outputs, model.outputs.score, 1);
    return { presence: score };
  }
  if (model.task === 'classify') {
    const names = model.outputs;
    const [damage = 0] = readTensor(model, outputs, names.damage, 1);
    const kinds = [...readTensor(model, outputs, names.kinds, labels.length)];
    const [vehicle] = names.vehicle === undefined ? [] : readTensor(model, outputs, names.vehicle, 1);
    return { classified: { damage, kinds, ...defined({ vehicle }) } };
  }
  const scores = readTensor(model, outputs, model.outputs.scores);
  const rows = scores.length / labels.length;
  const boxes = readTensor(model, outputs, model.outputs.boxes, rows * 4);
  return { boxes: decodeBoxes(boxes, scores, labels.length, input, model) };
}

function readTensor(model: Model, outputs: Tensors, name: string, length?: number): Float32Array {
  const values = outputs[name];
  if (values !== undefined && (length === undefined || values.length === length)) return values;
  throw new VehiError(
    'engine',
    'INFERENCE_FAILED',
    `model ${model.name} gave ${values?.length ?? 'no'} values for "${name}", needed: ${length ?? 'some'}`,
    { hint: 'The file is not the model its manifest describes. Run `vehi doctor`.' },
  );
}

/** Per channel, the normalized value of each of the 256 pixel values: (value / 255 - mean) / std. */
type ChannelTables = readonly [Float32Array, Float32Array, Float32Array];

/** Computes the lookup tables of a model's normalization. */
export function makeChannelTables({ mean, std }: Pick<ModelInput, 'mean' | 'std'>): ChannelTables {
  const table = (channel: 0 | 1 | 2) =>
    Float32Array.from({ length: 256 }, (_, value) => (value / 255 - mean[channel]) / std[channel]);
  return [table(0), table(1), table(2)];
}

/**
 * Writes RGB pixels (row by row, three bytes each) as normalized planes (all red, all green, all blue) into `target`,
 * which holds three floats per pixel and is reused between pictures.
 */
export function toPlanes(rgb: Uint8Array, tables: ChannelTables, target: Float32Array): void {
  const pixels = rgb.length / 3;
  const [red, green, blue] = tables;
  for (let pixel = 0, at = 0; pixel < pixels; pixel++, at += 3) {
    target[pixel] = red[rgb[at] as number] as number;
    target[pixels + pixel] = green[rgb[at + 1] as number] as number;
    target[2 * pixels + pixel] = blue[rgb[at + 2] as number] as number;
  }
}
