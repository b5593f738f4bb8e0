import type { Damage, Photo } from '../../contract/inspection.ts';
import type { Decision, LeftOutDecision } from '../../contract/review.ts';
import { isObject } from '../../lib/fields.ts';
import { readFileName } from '../../report/figures.ts';
import { describeDamage, describePart } from '../../report/words.ts';

/** A saved decision that can no longer be applied. */
interface RefusedDecision {
  readonly decision: unknown;
  /** Error message of the rejection. */
  readonly why: string;
  /** Error details: the reason and its subject. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

const DECISION_NOUNS: Readonly<Partial<Record<Decision['decision'], string>>> = {
  accept: 'acceptance',
  reject: 'rejection',
  change: 'change',
  merge: 'merge',
};

/** Message of each rejection reason, keyed by reason code. */
const REASONS: Readonly<Record<string, (part: string, type: string) => string>> = {
  impossible_type: (part, type) =>
    `"${describeDamage(type, undefined, part)}" is not possible on "${describePart(part)}"`,
  not_on_vehicle: () => 'it is not seen to be on the vehicle, and no part is named',
  photo_unreadable: () => 'its photo cannot be read, and no part is named',
};

/** Describes a saved decision that could not be applied, in plain words without codes. */
export function describeLeftOut(
  { decision: decisions, why: code, details = {} }: RefusedDecision,
  of: {
    readonly findings: readonly Pick<Damage, 'damage_id' | 'number'>[];
    readonly photos: readonly Pick<Photo, 'index' | 'url'>[];
  },
): LeftOutDecision {
  const { decision, damage_id: id, image_index: index } = isObject(decisions) ? decisions : {};
  const found = of.findings.find((one) => one.damage_id === id);
  const photo = of.photos.find((one) => one.index === index);
  const noun = Object.entries(DECISION_NOUNS).find(([key]) => key === decision)?.[1];
  const inPhoto = photo ? ` in ${readFileName(photo.url)}` : '';
  const what =
    noun !== undefined
      ? `${noun}${found ? ` of no. ${found.number}` : ''}`
      : `${decision === 'add' ? 'box' : decision === 'nothing_more' ? 'tick' : 'decision'}${inPhoto}`;
  const reason = Object.entries(REASONS).find(([key]) => key === details.reason)?.[1];
  return {
    decision: String(decision),
    ...(found ? { damage_id: found.damage_id } : {}),
    message: `The saved ${what} was left out: ${
      reason ? reason(String(details.part), String(details.type)) : trimPlace(code)
    }.${found ? ` No. ${found.number} is open again.` : ''}`,
  };
}

/** Strips the list index from an error message, because the user can no longer look it up. */
function trimPlace(why: string): string {
  return why.replace(/^decisions: (?:\[\d+\](?:\.\w+)* (?:is )?)?/, '').replace(/\.$/, '');
}
