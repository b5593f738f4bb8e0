import { makeChannelTables, toPlanes } from '../run/network.ts';
import type { Tasks } from '../run/protocol.ts';
import type { NetworkSession } from '../run/session.ts';
import { decodeCharacters } from './decode-characters.ts';
import type { TextModel } from './text-models.ts';

/** Normalization of PaddleOCR, blue first: the means of ImageNet for finding lines, -1 to 1 for reading them. */
const NORMALS = {
  lines: { mean: [0.406, 0.456, 0.485], std: [0.225, 0.224, 0.229] },
  characters: { mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] },
} as const;

/** Wraps a session of a text model, which accepts pictures of varying size. */
export function createTextNetwork({ id, name, characters }: TextModel, session: NetworkSession) {
  const [input] = session.inputs;
  const [output] = session.outputs;
  if (input === undefined || output === undefined) throw new Error(`model ${name} has no input or no output`);
  const tables = makeChannelTables(NORMALS[id]);
  return {
    async infer(task: Tasks[TextModel['id']]) {
      const { rgb, size } = task;
      if (rgb.length !== 3 * size.width * size.height)
        throw new Error(`a picture of ${rgb.length} bytes for model ${name}`);
      for (let at = 0; at < rgb.length; at += 3) rgb.subarray(at, at + 3).reverse();
      const planes = new Float32Array(rgb.length);
      toPlanes(rgb, tables, planes);
      return session.run(
        { [input.name]: planes },
        (results) => {
          const values = results[output.name] ?? new Float32Array();
          if (!('alphabets' in task)) return Uint8Array.from(values, (value) => Math.round(255 * value));
          return task.alphabets.map((alphabet) => decodeCharacters(values, characters, new Set(alphabet)));
        },
        [1, 3, size.height, size.width],
      );
    },
    release: () => session.release(),
  };
}
