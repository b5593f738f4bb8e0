import type { Result } from '../../contract/result.ts';
import type { Severity } from '../../domain/damage.ts';
import { rankSeverity } from '../../domain/judge/severity.ts';

export interface FormatOptions {
  /** Minimum severity of a failing finding; `none`: findings never fail. */
  readonly failOn: Severity | 'none';
  /** True if a place to check also counts as a failure. */
  readonly failOnToCheck?: boolean | undefined;
}

/** Renders a result in one format. Pure; the text ends with a line break. */
export type Formatter = (input: Result, options: FormatOptions) => string;

/** Returns true if a severity reaches the failure threshold. */
export function isAtLeast(severity: Severity, failOn: Severity | 'none'): boolean {
  return failOn !== 'none' && rankSeverity(severity) >= rankSeverity(failOn);
}
