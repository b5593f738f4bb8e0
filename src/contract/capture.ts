import type { ShotHint } from '../domain/grading/check-shot.ts';
import type { LanguageCode } from '../domain/language.ts';
import type { Angle } from '../domain/photo.ts';

/** A photo in the folder of a capture. */
export interface CapturedPhoto {
  /** File name in the folder. */
  readonly name: string;
  /** What to change about the photo; empty if nothing. */
  readonly hints: readonly ShotHint[];
}

/** A photo requested by a capture. */
export interface Shot {
  /** Names the photo in addresses and files: `front_left`, `damage`, `known_3`. */
  readonly slot: string;
  readonly kind: 'view' | 'extra' | 'known';
  /** Outside view to be photographed; only for the kind `view`. */
  readonly angle?: Angle;
  /** Number and name of a known damage, in the language of the page. */
  readonly title?: string;
  /** True if there is an earlier photo to repeat, at `capture/earlier/SLOT`. */
  readonly has_earlier: boolean;
  /** True if a further photo is added instead of replacing the earlier one. */
  readonly takes_several: boolean;
  readonly photos: readonly CapturedPhoto[];
}

/** State of a capture, as its page reads it. */
export interface CaptureState {
  /** Identifies folder and vehicle, so that photos waiting on a phone reach the right capture. */
  readonly capture_id: string;
  readonly vehicle_id: string;
  readonly language: LanguageCode;
  readonly shots: readonly Shot[];
  readonly stage: 'open' | 'inspecting' | 'finished' | 'failed';
  /** Findings of the inspection, one line each, or the reason why there is no result. */
  readonly outcome: readonly string[];
  /** Address of the report once it exists, relative to the page. */
  readonly report: string | null;
}
