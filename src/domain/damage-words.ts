import type { DamageSubtype, DamageType } from './damage.ts';
import { isLamp } from './parts.ts';

/** Everyday word for a damage, singular and plural. */
type Words = readonly [one: string, several: string];

const BY_TYPE = {
  scratch: ['scratch', 'scratches'],
  dent: ['dent', 'dents'],
  rust: ['rust', 'rust'],
  crack: ['crack', 'cracks'],
  paint_damage: ['chipped or peeling paint', 'chipped or peeling paint'],
  glass_damage: ['broken glass', 'broken glass'],
  panel_damage: ['bent or torn', 'bent or torn'],
} as const satisfies Record<DamageType, Words>;

const BROKEN_LAMP: Words = ['broken lamp', 'broken lamps'];
/** Words per subtype; `rocker` and `wheel` name an adjacent component that the part's name does not cover. */
const BY_SUBTYPE = {
  headlight_damage: BROKEN_LAMP,
  taillight_damage: BROKEN_LAMP,
  fog_light_damage: BROKEN_LAMP,
  mirror_damage: ['broken mirror', 'broken mirrors'],
  trim_damage: ['damaged trim', 'damaged trim'],
  grille_damage: ['broken grille', 'broken grilles'],
  tyre_damage: ['damaged tyre', 'damaged tyres'],
  liner_damage: ['torn wheel liner', 'torn wheel liners'],
  frame_damage: ['bent frame', 'bent frame'],
  missing_part: ['missing part', 'missing parts'],
  misaligned_part: ['misaligned', 'misaligned'],
  oxidation: ['faded paint', 'faded paint'],
} as const satisfies Partial<Record<DamageSubtype, Words>>;
const NEXT_TO_PART: ReadonlyMap<string | undefined, string> = new Map([
  ['rocker_damage', 'rocker'],
  ['wheel_damage', 'wheel'],
  ['mirror_damage', 'mirror'],
]);

/** Fields that determine the word for a damage. */
interface Named {
  readonly type: DamageType;
  readonly subtype?: string | undefined;
  readonly part: string;
}

/** Returns the everyday word for a damage: `broken lamp`, `bent or torn`, `rocker scratch`. */
export function nameDamage({ type, subtype, part }: Named, several = false): string {
  const next = NEXT_TO_PART.get(subtype);
  const which = several ? 1 : 0;
  if (next !== undefined && type !== 'panel_damage') return `${next} ${BY_TYPE[type][which]}`;
  const finer: Words | undefined =
    subtype !== undefined && Object.hasOwn(BY_SUBTYPE, subtype)
      ? BY_SUBTYPE[subtype as keyof typeof BY_SUBTYPE]
      : undefined;
  if (finer !== undefined) return finer[which];
  if (type === 'glass_damage' && isLamp(part)) return BROKEN_LAMP[which];
  return next === undefined ? BY_TYPE[type][which] : `${next} ${BY_TYPE[type][which]}`;
}

/** Describes the damages of a part, grouped by kind: `bent or torn 65 cm, scratches 70, 45 cm`. */
export function describeDamages(
  damages: readonly (Named & {
    readonly also?: readonly DamageType[] | undefined;
    readonly sizeCm?: number | undefined;
  })[],
): string {
  const findKind = ({ also = [], ...one }: (typeof damages)[number]) =>
    `${nameDamage(one, false)} ${also.join()}`;
  return [...new Set(damages.map(findKind))]
    .map((kind) => {
      const own = damages.filter((one) => findKind(one) === kind);
      const [first] = own;
      if (first === undefined) return '';
      const sizes = own.flatMap(({ sizeCm }) =>
        sizeCm === undefined ? [] : [Math.max(1, Math.round(sizeCm))],
      );
      return [
        nameDamage(first, own.length > 1),
        ...(sizes.length === 0 ? [] : [`${sizes.join(', ')} cm`]),
        ...(first.also?.length ? [describeFurther(first.also)] : []),
      ].join(' ');
    })
    .join(', ');
}

/** Lists further damage types at the same location: `with scratches and chipped or peeling paint`. */
function describeFurther(types: readonly DamageType[]): string {
  return `with ${types.map((type) => BY_TYPE[type][1]).join(' and ')}`;
}
