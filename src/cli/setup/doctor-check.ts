/** What one look found. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do about it; only where it failed. */
  readonly fix?: string;
}

/** Tries something; a text that it returns is what was found. */
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
    return { what, ok: false, found: messageOf(error), fix };
  }
}

/** Returns the message of whatever was thrown. */
export function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error instanceof Error ? error.message : String(error)}${cause}`;
}
