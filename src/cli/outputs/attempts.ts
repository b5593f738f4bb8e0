import { VehiError } from '../../lib/errors.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';

/** Independent operations: a failure of one (such as a full disk) does not prevent the others. */
export interface Attempts {
  /**
   * Runs an operation and collects a VehiError.
   * @returns its result, or undefined if it failed
   */
  of<T>(work: () => Promise<T>): Promise<T | undefined>;
  /**
   * Completes the attempts: reports all failures but the first, which is thrown.
   * @throws the first collected VehiError
   */
  settle(): Promise<void>;
}

/** Creates a runner of attempts that collects their failures. */
export function openAttempts(ctx: CliContext): Attempts {
  const failures: VehiError[] = [];
  return {
    async of(work) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof VehiError)) throw error;
        failures.push(error);
        return undefined;
      }
    },
    async settle() {
      const [first, ...others] = failures;
      for (const { message } of others) await writeStatus(ctx, `vehi: ${message}`);
      if (first !== undefined) throw first;
    },
  };
}
