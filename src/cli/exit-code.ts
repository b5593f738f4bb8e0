import type { VisualInspection } from '../contract/inspection.ts';
import type { Severity } from '../domain/damage.ts';
import { rankOf } from '../domain/severity.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

export interface ExitRules {
  readonly failOn: Severity | 'none';
  readonly strict: boolean;
  readonly stopped: 'SIGINT' | 'SIGTERM' | null;
}

/** Fewer photos than this are an error with --strict, as they are for the service. */
const ENOUGH_PHOTOS = 4;

/** Exit code of an inspection: an interrupt outranks rejected input, which outranks a threshold. */
export function exitCodeFor(inspection: VisualInspection, rules: ExitRules): ExitCode {
  if (rules.stopped) return rules.stopped === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
  if (!inspection.results) return EXIT.inputRejected;
  const short = inspection.images.length < ENOUGH_PHOTOS;
  if (rules.strict && (inspection.rejected_images.length > 0 || short)) return EXIT.inputRejected;
  const { failOn } = rules;
  const hit =
    failOn !== 'none' &&
    inspection.results.damages.some((damage) => rankOf(damage.severity) >= rankOf(failOn));
  return hit ? EXIT.thresholdHit : EXIT.done;
}
