import type { Severity } from './damage.ts';
import file from './data/looks.json' with { type: 'json' };

/** How a find is shown: by its severity, or as a place to check. */
export type Look = Severity | 'to_check';

interface LookStyle {
  /** Colour of line, chip and tag, and that of text on them. */
  readonly fill: string;
  readonly text: string;
  /** Width of its line in an annotated photo, as a multiple of that photo's common line width. */
  readonly weight: number;
  /** Dashes of that line in line widths; none = solid. */
  readonly dashes: readonly number[];
}

/** Returns how a find is shown. */
export function chooseLook(find: { readonly severity: Severity; readonly toCheck?: boolean }): Look {
  return find.toCheck ? 'to_check' : find.severity;
}

/** The look of each find wherever it is drawn: photos, reports, the review's page. */
export const LOOKS: Readonly<Record<Look, LookStyle>> = file.looks;
