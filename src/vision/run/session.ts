import { createRequire } from 'node:module';
import type * as Runtime from 'onnxruntime-node';
import type { TensorShape } from '../models/model-shapes.ts';

/** Required, not imported: Node reads a CommonJS package twice to import it by name, a third of its loading time. */
const { InferenceSession, Tensor } = createRequire(import.meta.url)('onnxruntime-node') as typeof Runtime;

/** What a network is given, or gave, by name. */
export type Results = Readonly<Record<string, Float32Array>>;

/** A loaded network: a picture and what goes with it in, named tensors out. Runs block the thread that calls. */
export interface NetworkSession {
  readonly inputs: readonly TensorShape[];
  readonly outputs: readonly TensorShape[];
  /**
   * Runs the inputs, by name and of the shapes declared. `read` is given the results where the runtime holds them: copies of a
   * megabyte and more per run would wake the garbage collector, so it must keep none of them.
   */
  run<T>(values: Results, read: (results: Results) => T): Promise<T>;
  release(): Promise<void>;
}

/**
 * One thread per session: several sessions side by side beat one session with several threads, and the runtime's own
 * choice ignores the limits of a container. Log level 4: failures arrive as exceptions, not as lines on stderr.
 */
const OPTIONS = {
  executionProviders: ['cpu'],
  graphOptimizationLevel: 'all',
  executionMode: 'sequential',
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // Without the arena every run asks the system for fresh pages: a seventh more processor time, no less memory.
  enableCpuMemArena: true,
  enableMemPattern: false,
  logSeverityLevel: 4,
} as const satisfies Runtime.InferenceSession.SessionOptions;

/** Loads a network from the bytes of an ONNX file. Errors are those of onnxruntime, without codes. */
export async function openNetwork(bytes: Uint8Array): Promise<NetworkSession> {
  const session = await InferenceSession.create(bytes, OPTIONS);
  const inputs = session.inputMetadata.map(toShape);
  const outputs = session.outputMetadata.map(toShape);
  return {
    inputs,
    outputs,
    async run(values, read) {
      const feeds = Object.fromEntries(
        inputs.map(({ name, shape }) => {
          const value = values[name];
          if (value === undefined) throw new Error(`nothing given for the input "${name}"`);
          return [name, new Tensor('float32', value, shape.map(Number))];
        }),
      );
      const results = Object.entries(await session.run(feeds));
      try {
        return read(Object.fromEntries(results.map(([name, { data }]) => [name, data as Float32Array])));
      } finally {
        for (const [, result] of results) result.dispose();
      }
    },
    release: () => session.release(),
  };
}

function toShape(tensor: Runtime.InferenceSession.ValueMetadata): TensorShape {
  return tensor.isTensor
    ? { name: tensor.name, type: tensor.type, shape: tensor.shape }
    : { name: tensor.name, type: 'no tensor', shape: [] };
}
