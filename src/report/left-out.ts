import type { Damage, Photo } from '../contract/inspection.ts';
import type { Decision, LeftOutDecision } from '../contract/review.ts';
import { isObject } from '../lib/fields.ts';
import { readFileName } from './figures.ts';
import { describeDamage, describePart } from './words.ts';

/** A saved decision that is refused. */
interface Refused {
  readonly decision: unknown;
  /** The refusal, for programs. */
  readonly why: string;
  /** Its reason and what the reason speaks of. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

const DECISION_NOUNS: Readonly<Partial<Record<Decision['decision'], string>>> = {
  accept: 'acceptance',
  reject: 'rejection',
  change: 'change',
  merge: 'merge',
};

/** Why a decision is refused, by the reason that the refusal gives. */
const REASONS: Readonly<Record<string, (part: string, type: string) => string>> = {
  impossible_type: (part, type) => `"${describeDamage(type)}" is not possible on "${describePart(part)}"`,
  not_on_vehicle: () => 'it is not seen to be on the vehicle, and no part is named',
  photo_unreadable: () => 'its photo cannot be read, and no part is named',
};

/** Returns what is said of a saved decision that was left out, with a message that needs no code to be understood. */
export function describeLeftOut(
  { decision: given, why, details = {} }: Refused,
  of: {
    readonly findings: readonly Pick<Damage, 'damage_id' | 'number'>[];
    readonly photos: readonly Pick<Photo, 'index' | 'url'>[];
  },
): LeftOutDecision {
  const { decision, damage_id: id, image_index: index } = isObject(given) ? given : {};
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
      reason ? reason(String(details.part), String(details.type)) : trimPlace(why)
    }.${found ? ` No. ${found.number} is open again.` : ''}`,
  };
}

/** Returns a refusal without where in the list the decision stood, which nobody can look up any more. */
function trimPlace(why: string): string {
  return why.replace(/^decisions: (?:\[\d+\](?:\.\w+)* (?:is )?)?/, '').replace(/\.$/, '');
}
