import type { Result } from '../../contract/result.ts';
import type { Severity } from '../../domain/damage.ts';
import { rankSeverity } from '../../domain/judge/severity.ts';

export interface FormatOptions {
  /** Severity from which a finding counts as a failure; `none`: findings never fail. */
  readonly failOn: Severity | 'none';
  /** Whether a place to check counts as a failure too. */
  readonly failOnUnchecked?: boolean | undefined;
  /** Where a photo of the result lies, as a path or URL; default: its address as it stands in the result. */
  readonly addressOf?: ((url: string) => string) | undefined;
}

/** Turns results into the text of one format. Pure; the text ends with a line break. */
export type Formatter = (input: Result, options: FormatOptions) => string;

/** Returns whether a severity reaches the caller's threshold. */
export function reaches(severity: Severity, failOn: Severity | 'none'): boolean {
  return failOn !== 'none' && rankSeverity(severity) >= rankSeverity(failOn);
}
