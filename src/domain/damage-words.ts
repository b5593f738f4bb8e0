import { compact, groupBy, sumBy } from '../lib/lists.ts';
import type { DamageType } from './damage.ts';
import file from './damage-words.json' with { type: 'json' };
import { isLamp } from './parts.ts';
import { findAdjective } from './unlisted-parts.ts';

/** Everyday word for a damage, singular and plural. */
interface Words {
  readonly one: string;
  readonly several: string;
  /** True for an adjective, which takes an adverb. */
  readonly is_state?: boolean;
  /** True for a word that fits only types by which something breaks. */
  readonly is_break?: boolean;
}

/** Types by which a thing breaks. */
const BREAKS: readonly DamageType[] = ['crack', 'glass_damage', 'panel_damage'];
const TYPES: Readonly<Record<DamageType, Words>> = file.types;
/** Words of subtypes that say more than the type. */
const SUBTYPES = new Map<string, Words>(Object.entries(file.subtypes));

interface DamageKind {
  readonly type: DamageType;
  readonly subtype?: string | undefined;
  readonly part: string;
}

/** Returns the words for a damage, and the component next to the part that has it, if any. */
export function findWords({ type, subtype = '', part }: DamageKind, isPlural = false) {
  const component = findAdjective(subtype);
  const ofSubtype = SUBTYPES.get(subtype);
  const isBrokenLamp = component === undefined && type === 'glass_damage' && isLamp(part);
  const ofType = isBrokenLamp ? file.glass_damage_of_lamp : TYPES[type];
  const fitsType =
    component === undefined ? !ofSubtype?.is_break || BREAKS.includes(type) : type === 'panel_damage';
  const isOwn = ofSubtype !== undefined && fitsType;
  const { one, several, is_state: isState = false }: Words = isOwn ? ofSubtype : ofType;
  return { component: isOwn ? undefined : component, words: isPlural ? several : one, isState };
}

/** Returns the everyday word for a damage: `broken lamp`, `bent or torn`, `rocker scratch`. */
export function nameDamage(kind: DamageKind, isPlural = false): string {
  const { component, words } = findWords(kind, isPlural);
  return compact([component, words]).join(' ');
}

/** Returns the word with an adverb, `rocker severely bent or torn`; undefined if it takes none. */
export function nameState(kind: DamageKind, adverb: string): string | undefined {
  const { component, words, isState } = findWords(kind);
  return isState ? compact([component, adverb, words]).join(' ') : undefined;
}

/**
 * Describes the damages of a part, grouped by kind: `bent or torn 65 cm, scratches 70, 45 cm`, `25 dents 2 cm`.
 * @param name returns the word for a kind
 */
export function describeDamages(
  damages: readonly (DamageKind & {
    readonly also?: readonly DamageType[] | undefined;
    readonly sizeCm?: number | undefined;
    readonly count?: number | undefined;
  })[],
  name: (kind: DamageKind, isPlural: boolean) => string = nameDamage,
): string {
  const groups = groupBy(damages, ({ also = [], ...one }) => `${nameDamage(one)} ${also.toSorted().join()}`);
  return [...groups.values()]
    .map((same) => {
      const sizes = same.flatMap(({ sizeCm: cm }) => (cm === undefined ? [] : Math.max(1, Math.round(cm))));
      const total = sumBy(same, ({ count = 1 }) => count);
      const further = same[0]?.also?.map((type) => TYPES[type].several) ?? [];
      return compact([
        total > same.length && String(total),
        same[0] && name(same[0], total > 1),
        sizes.length > 0 && `${sizes.join(', ')} cm`,
        further.length > 0 && `with ${further.join(' and ')}`,
      ]).join(' ');
    })
    .join(', ');
}
