import type { Precision } from '../../domain/choices.ts';
import type { Sensitivity } from '../../domain/sight/detection.ts';

export interface ModelsFlags {
  readonly json?: boolean;
  readonly models?: string;
}

/** Flags of `vehi models eval` as commander hands them over. */
export interface EvalFlags extends ModelsFlags {
  readonly annotations: string;
  readonly images: string;
  readonly parts?: boolean;
  readonly plates?: boolean;
  readonly silhouettes?: string;
  readonly clean?: string;
  readonly only?: string;
  readonly limit?: number;
  readonly finds?: boolean;
  readonly sensitivity?: Sensitivity;
  readonly precision?: Precision;
  readonly secondPass?: SecondPassName;
  readonly far?: number;
  readonly threads?: number;
}

/** Flags of `vehi models fit` as commander hands them over. */
export interface FitFlags extends ModelsFlags {
  readonly write?: boolean;
  readonly threads?: number;
}

/** What `--second-pass` offers; what they mean is in `models-eval.run.ts`. */
export const SECOND_PASS_NAMES = ['none', 'vehicle', 'tiles', 'both', 'tiles3', 'tiles-everywhere'] as const;
export type SecondPassName = (typeof SECOND_PASS_NAMES)[number];
