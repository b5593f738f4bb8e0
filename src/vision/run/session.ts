import { createRequire } from 'node:module';
import type * as Runtime from 'onnxruntime-node';
import type { TensorShape } from '../models/model-shapes.ts';

/** Loaded by `require`: for named imports Node parses a CommonJS package twice, a third of its load time. */
const { InferenceSession, Tensor } = createRequire(import.meta.url)('onnxruntime-node') as typeof Runtime;

/** Input or output tensors by name. */
export type Tensors = Readonly<Record<string, Float32Array>>;

/** A loaded network with named input and output tensors. Runs block the calling thread. */
export interface NetworkSession {
  readonly inputs: readonly TensorShape[];
  readonly outputs: readonly TensorShape[];
  /**
   * Runs the network on named inputs, in the declared shapes or, if given, each in `shape`. `read` receives
   * views of the runtime's results and must not keep them; copying megabytes per run would trigger garbage collection.
   */
  run<T>(values: Tensors, read: (results: Tensors) => T, shape?: readonly number[]): Promise<T>;
  release(): Promise<void>;
}

/**
 * One thread per session: several parallel sessions are faster than one session with several threads, and the runtime's
 * default ignores container limits. Log level 4: failures are exceptions, not stderr output.
 */
const OPTIONS = {
  executionProviders: ['cpu'],
  graphOptimizationLevel: 'all',
  executionMode: 'sequential',
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // Without the arena, every run requests new pages from the OS, a seventh more CPU time for no less memory.
  enableCpuMemArena: true,
  enableMemPattern: false,
  logSeverityLevel: 4,
} as const satisfies Runtime.InferenceSession.SessionOptions;

/** Loads a network from the bytes of an ONNX file. Throws onnxruntime's errors, without codes. */
export async function openNetwork(bytes: Uint8Array): Promise<NetworkSession> {
  const session = await InferenceSession.create(bytes, OPTIONS);
  const inputs = session.inputMetadata.map(toShape);
  const outputs = session.outputMetadata.map(toShape);
  return {
    inputs,
    outputs,
    async run(values, read, shape) {
      const feeds = Object.fromEntries(
        inputs.map(({ name, shape: declared }) => {
          const value = values[name];
          if (value === undefined) throw new Error(`nothing given for the input "${name}"`);
          return [name, new Tensor('float32', value, (shape ?? declared).map(Number))];
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
