import { VehiError } from '../../lib/errors.ts';

/** Result of one check. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  /** Suggested fix, present only on failure. */
  readonly fix?: string;
}

/** Runs a check; returned text describes the result. The hint of an error takes precedence over `fix`. */
export async function runCheck(
  what: string,
  work: () => Promise<unknown>,
  fix: string,
  found = 'works',
): Promise<Check> {
  try {
    const description = await work();
    return { what, ok: true, found: typeof description === 'string' ? description : found };
  } catch (error) {
    const hint = error instanceof VehiError ? error.hint : undefined;
    return { what, ok: false, found: explainError(error), fix: hint ?? fix };
  }
}

/** Returns the message of any thrown value, including its cause. */
export function explainError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error instanceof Error ? error.message : String(error)}${cause}`;
}
