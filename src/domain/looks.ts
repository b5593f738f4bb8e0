import type { Severity } from './damage.ts';
import file from './looks.json' with { type: 'json' };

/** Display style of a finding: its severity, or a place to check. */
export type Look = Severity | 'to_check';

interface LookStyle {
  /** Color of line, chip and tag, and of the text on them. */
  readonly fill: string;
  readonly text: string;
  /** Line width in an annotated photo, as a multiple of the photo's base line width. */
  readonly weight: number;
  /** Dash pattern in line widths; none = solid. */
  readonly dashes: readonly number[];
}

export function chooseLook(finding: { readonly severity: Severity; readonly toCheck?: boolean }): Look {
  return finding.toCheck ? 'to_check' : finding.severity;
}

/** Display styles for photos, reports and the review page. */
export const LOOKS: Readonly<Record<Look, LookStyle>> = file.looks;
