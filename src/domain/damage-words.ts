import { sumBy } from '../lib/lists.ts';
import type { DamageSubtype, DamageType } from './damage.ts';
import { isLamp } from './parts.ts';

/** Everyday word for a damage, singular and plural. */
type Words = readonly [one: string, several: string];

const WORDS_BY_TYPE = {
  scratch: ['scratch', 'scratches'],
  dent: ['dent', 'dents'],
  rust: ['rust', 'rust'],
  crack: ['crack', 'cracks'],
  paint_damage: ['chipped or peeling paint', 'chipped or peeling paint'],
  glass_damage: ['broken glass', 'broken glass'],
  panel_damage: ['bent or torn', 'bent or torn'],
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
  misaligned_part: ['misaligned', 'misaligned'],
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

/** Returns the everyday word for a damage: `broken lamp`, `bent or torn`, `rocker scratch`. */
export function nameDamage({ type, subtype, part }: DamageKind, isPlural = false): string {
  const form = isPlural ? 1 : 0;
  const component = ADJACENT_COMPONENTS.get(subtype);
  const plain = WORDS_BY_TYPE[type][form];
  if (component !== undefined && type !== 'panel_damage') return `${component} ${plain}`;
  const subtypeWords = Object.entries(WORDS_BY_SUBTYPE).find(([name]) => name === subtype)?.[1];
  if (subtypeWords !== undefined) return subtypeWords[form];
  if (type === 'glass_damage' && isLamp(part)) return BROKEN_LAMP[form];
  return component === undefined ? plain : `${component} ${plain}`;
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
  const toKind = ({ also = [], ...one }: (typeof damages)[number]) => `${nameDamage(one)} ${also.join()}`;
  return [...new Set(damages.map(toKind))]
    .map((kind) => {
      const sameKind = damages.filter((one) => toKind(one) === kind);
      const [first] = sameKind;
      if (first === undefined) return '';
      const sizes = sameKind.flatMap(({ sizeCm }) =>
        sizeCm === undefined ? [] : [Math.max(1, Math.round(sizeCm))],
      );
      const dents = sumBy(sameKind, ({ count = 1 }) => count);
      return [
        ...(dents > sameKind.length ? [dents] : []),
        name(first, dents > 1),
        ...(sizes.length === 0 ? [] : [`${sizes.join(', ')} cm`]),
        ...(first.also?.length ? [describeFurtherTypes(first.also)] : []),
      ].join(' ');
    })
    .join(', ');
}

/** Lists further damage types at the same location: `with scratches and chipped or peeling paint`. */
function describeFurtherTypes(types: readonly DamageType[]): string {
  return `with ${types.map((type) => WORDS_BY_TYPE[type][1]).join(' and ')}`;
}
