import type { Damage, InspectionEnvelope } from './inspection.ts';

/** What a reviewer may say. */
export const DECISION_VALUES = ['accept', 'reject', 'change', 'merge', 'add', 'nothing_more'] as const;

/** A box that a person drew, whole pixels of the upright photo. */
export interface DrawnBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What a person says of a damage; what is left out is proposed, or stays. */
export interface Said {
  readonly type?: Damage['type'];
  readonly severity?: Damage['severity'];
  readonly part?: Damage['location']['part'];
}

/** The finding is there, or it is not. `damage_id` names a damage (dmg_…) or a place to check (chk_…). */
export interface Judge {
  readonly decision: 'accept' | 'reject';
  readonly damage_id: string;
}

/** The finding is there and something about it is otherwise; `box` is that in one of its photos, its best by default. */
export interface Change extends Said {
  readonly decision: 'change';
  readonly damage_id: string;
  readonly box?: DrawnBox;
  readonly image_index?: number;
}

/** Two findings are one damage: the first goes into the second. */
interface Merge {
  readonly decision: 'merge';
  readonly damage_id: string;
  readonly into: string;
}

/** A damage that was missed; with `into`, a further photo of one that was found. */
export interface Add extends Said {
  readonly decision: 'add';
  readonly image_index: number;
  readonly box: DrawnBox;
  readonly type: Damage['type'];
  readonly into?: string;
}

/** Nothing else is damaged in this photo. */
interface NothingMore {
  readonly decision: 'nothing_more';
  readonly image_index: number;
}

/** One entry of a decisions file. */
export type Decision = Judge | Change | Merge | Add | NothingMore;

/** A decision that was kept and is refused by now: its finding is open again. */
export interface LeftOutDecision {
  readonly decision: string;
  /** Absent for a drawn box and for a photo ticked off. */
  readonly damage_id?: string;
  /** A sentence that names the finding by its number and says why. */
  readonly message: string;
}

/** What a decision made of a finding: the values before (null: it was missed) and after (null: it is no damage now). */
export interface ReviewedFinding {
  readonly damage_id: string;
  readonly decision: Exclude<Decision['decision'], 'nothing_more'>;
  /** The damage it became part of. */
  readonly into?: string;
  readonly original: Damage | null;
  readonly corrected: Damage | null;
}

/** What was reviewed, next to the corrected result. */
export interface Review {
  readonly reviewed_at: string;
  readonly reviewer?: string;
  readonly decisions: readonly ReviewedFinding[];
  /** Indices of photos in which a person saw nothing more. */
  readonly photos_checked: readonly number[];
  /** Ids of damages nobody decided on; they stay as they were. */
  readonly not_reviewed: readonly string[];
}

export type ReviewedEnvelope = InspectionEnvelope & { readonly review: Review };

/** The state of the review as the page gets it: all of it, each time. */
export interface ReviewSnapshot {
  readonly revision: number;
  readonly reviewer: string;
  readonly decisions: readonly Decision[];
  readonly reviewed: ReviewedEnvelope;
  readonly saved_at: string | null;
  /** Of the draft, what is refused now; absent where nothing is, and once something else was saved. */
  readonly left_out?: readonly LeftOutDecision[];
}

/** A photo while an inspection looks at it. */
export interface WaitingPhoto {
  readonly url: string;
  readonly state: 'waiting' | 'done' | 'rejected';
  /** Places of possible damage in it, before those of all photos are merged. */
  readonly sightings: number;
}

/** Events that the page of a review receives while it is open. */
export type ReviewEvent =
  /** A photo was looked at. */
  | ({ readonly kind: 'photo'; readonly index: number } & WaitingPhoto)
  /** The inspection is done: the review can be read. */
  | { readonly kind: 'ready' }
  /** The command holds this revision now, whichever page made it. */
  | { readonly kind: 'saved'; readonly revision: number }
  /** A newer link was opened. */
  | { readonly kind: 'taken_over' }
  /** The command ends; why, in a sentence. */
  | { readonly kind: 'ending'; readonly why: string };

/** Where a drawn box lies on the vehicle and what the damage in it would be, before a person has confirmed it. */
export interface Placement {
  /** Null where the box is not on the vehicle as far as the parts model sees; a person may name a part all the same. */
  readonly part: Damage['location']['part'] | null;
  /** Parts under the box, likeliest first, with the share of the box each covers. */
  readonly alternatives: readonly { readonly part: Damage['location']['part']; readonly share: number }[];
  readonly type: Damage['type'];
  readonly subtype?: string;
  readonly size_cm: number;
  readonly severity: Damage['severity'];
  readonly severity_score: number;
  /** Null without a part. */
  readonly estimated_repair: Damage['estimated_repair'] | null;
  readonly explain: Damage['explain'];
}
