import { VehiError } from '../../lib/errors.ts';

/** What one look found. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do about it; only where it failed. */
  readonly fix?: string;
}

/** Tries something; a text that it returns is what was found. An error that says what to do goes before `fix`. */
export async function attempt(
  what: string,
  work: () => Promise<unknown>,
  fix: string,
  found = 'works',
): Promise<Check> {
  try {
    const said = await work();
    return { what, ok: true, found: typeof said === 'string' ? said : found };
  } catch (error) {
    const hint = error instanceof VehiError ? error.hint : undefined;
    return { what, ok: false, found: explainError(error), fix: hint ?? fix };
  }
}

/** Returns the message of whatever was thrown. */
export function explainError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error instanceof Error ? error.message : String(error)}${cause}`;
}
