import { VehiError } from '../../lib/errors.ts';
import type { CliContext } from '../terminal/context.ts';
import { printStatus } from '../terminal/progress.ts';

/** Pieces of work of which one must not take the others along: with no room for one file, the rest is still written. */
export interface Attempts {
  /**
   * Does the work; a VehiError is put aside.
   * @returns what came of it, undefined where it failed
   */
  of<T>(work: () => Promise<T>): Promise<T | undefined>;
  /**
   * Ends the attempts: reports every failure but the first, which is thrown.
   * @throws the first VehiError that was put aside
   */
  settle(): Promise<void>;
}

/** Creates a runner of attempts that collects their failures, none yet. */
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
      for (const { message } of others) await printStatus(ctx, `vehi: ${message}`);
      if (first !== undefined) throw first;
    },
  };
}
