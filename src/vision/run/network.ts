import { defined } from '../../lib/objects.ts';
import { decodeBoxes } from '../boxes/decode-boxes.ts';
import { decodeParts } from '../boxes/decode-parts.ts';
import type { Model, ModelInput } from '../models/manifest.ts';
import { checkShapes } from '../models/model-shapes.ts';
import type { ModelId, Results, Tasks } from './protocol.ts';
import type { NetworkSession, Tensors } from './session.ts';

/** A model with preprocessing and decoding. */
export interface Network<Id extends ModelId = ModelId> {
  infer(task: Tasks[Id]): Promise<Results[Id]>;
  release(): Promise<void>;
}

/**
 * Wraps a session according to its manifest entry; the input buffer is reused.
 * @throws VehiError `MODEL_SHAPE_MISMATCH`.
 */
export function createNetwork(model: Model, session: NetworkSession): Network<Model['id']> {
  checkShapes(model, session.inputs, session.outputs);
  const { name, width, height } = model.input;
  const tables = makeChannelTables(model.input);
  const planes = new Float32Array(3 * width * height);
  return {
    async infer(task) {
      if (task.rgb.length !== planes.length)
        throw new Error(`picture of ${task.rgb.length} bytes; ${planes.length} are needed`);
      toPlanes(task.rgb, tables, planes);
      const box = 'box' in task &&
        model.task === 'classify' && { [model.box_input]: Float32Array.from(task.box) };
      return session.run({ [name]: planes, ...box }, (results) => decode(model, results));
    },
    release: () => session.release(),
  };
}

/** Decodes the outputs, whose names and shapes `checkShapes` has verified. */
function decode(model: Model, outputs: Tensors): Results[Model['id']] {
  const read = (name: string) => outputs[name] as Float32Array;
  switch (model.task) {
    case 'segment': {
      const { logits, stride, look: embedding } = model.outputs;
      const { width, height } = model.input;
      const cells = decodeParts(read(logits), model.labels, width / stride, height / stride);
      return embedding === undefined ? cells : { ...cells, embedding: [...read(embedding)] };
    }
    case 'presence':
      return read(model.outputs.score)[0] as number;
    case 'classify': {
      const { damage, kinds, vehicle } = model.outputs;
      return {
        damage: read(damage)[0] as number,
        kinds: [...read(kinds)],
        ...defined({ vehicle: vehicle === undefined ? undefined : read(vehicle)[0] }),
      };
    }
    case 'detect': {
      const { boxes, scores } = model.outputs;
      return decodeBoxes(read(boxes), read(scores), model.labels.length, model.input, model);
    }
  }
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
