import { compact, groupBy, sumBy } from '../lib/lists.ts';
import type { DamageSubtype, DamageType } from './damage.ts';
import { isLamp } from './parts.ts';

/** Everyday word for a damage, singular and plural; `isState` if it is an adjective, which takes an adverb. */
type Words = readonly [one: string, several: string, isState?: true];

const WORDS_BY_TYPE = {
  scratch: ['scratch', 'scratches'],
  dent: ['dent', 'dents'],
  rust: ['rust', 'rust'],
  crack: ['crack', 'cracks'],
  paint_damage: ['chipped or peeling paint', 'chipped or peeling paint'],
  glass_damage: ['broken glass', 'broken glass'],
  panel_damage: ['bent or torn', 'bent or torn', true],
} as const satisfies Record<DamageType, Words>;

const BROKEN_LAMP: Words = ['broken lamp', 'broken lamps'];
/** Words of subtypes that say more than the type. */
const WORDS_BY_SUBTYPE: Partial<Record<DamageSubtype, Words>> = {
  headlight_damage: BROKEN_LAMP,
  taillight_damage: BROKEN_LAMP,
  fog_light_damage: BROKEN_LAMP,
  mirror_damage: ['broken mirror', 'broken mirrors'],
  trim_damage: ['damaged trim', 'damaged trim'],
  grille_damage: ['broken grille', 'broken grilles'],
  tyre_damage: ['damaged tire', 'damaged tires'],
  liner_damage: ['torn wheel liner', 'torn wheel liners'],
  frame_damage: ['bent frame', 'bent frame'],
  missing_part: ['missing part', 'missing parts'],
  misaligned_part: ['misaligned', 'misaligned', true],
  oxidation: ['faded paint', 'faded paint'],
};
/** Components that the part's name does not cover; their word precedes that of the type. */
const ADJACENT_COMPONENTS: ReadonlyMap<string | undefined, string> = new Map([
  ['rocker_damage', 'rocker'],
  ['wheel_damage', 'wheel'],
  ['mirror_damage', 'mirror'],
]);

interface DamageKind {
  readonly type: DamageType;
  readonly subtype?: string | undefined;
  readonly part: string;
}

/** Returns the words for a damage, and the component next to the part that has it, if any. */
export function findWords({ type, subtype, part }: DamageKind, isPlural = false) {
  const component = ADJACENT_COMPONENTS.get(subtype);
  const ofSubtype = Object.entries(WORDS_BY_SUBTYPE).find(([name]) => name === subtype)?.[1];
  const isBrokenLamp = component === undefined && type === 'glass_damage' && isLamp(part);
  const ofType: Words = isBrokenLamp ? BROKEN_LAMP : WORDS_BY_TYPE[type];
  const isOwn = ofSubtype !== undefined && (component === undefined || type === 'panel_damage');
  const [one, several, isState = false] = isOwn ? ofSubtype : ofType;
  return { component: isOwn ? undefined : component, words: isPlural ? several : one, isState };
}

/** Returns the everyday word for a damage: `broken lamp`, `bent or torn`, `rocker scratch`. */
export function nameDamage(kind: DamageKind, isPlural = false): string {
  const { component, words } = findWords(kind, isPlural);
  return component === undefined ? words : `${component} ${words}`;
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
      const dents = sumBy(same, ({ count = 1 }) => count);
      const further = same[0]?.also?.map((type) => WORDS_BY_TYPE[type][1]) ?? [];
      return compact([
        dents > same.length && String(dents),
        same[0] && name(same[0], dents > 1),
        sizes.length > 0 && `${sizes.join(', ')} cm`,
        further.length > 0 && `with ${further.join(' and ')}`,
      ]).join(' ');
    })
    .join(', ');
}
