import type { PartName } from './parts.ts';
import file from './unlisted-parts.json' with { type: 'json' };

/** Subtype that names a component without a contract part name. */
export type UnlistedSubtype = keyof typeof file.components;

/** What is known of a component; damage there is `panel_damage` on the nearest of its listed parts. */
interface Component {
  readonly parts: readonly PartName[];
  /** Word that precedes that of a damage: `wheel scratch`; absent if the subtype has a word of its own. */
  readonly adjective?: string;
}

const COMPONENTS = file.components as Readonly<Record<UnlistedSubtype, Component>>;
const SUBTYPES = Object.keys(COMPONENTS) as UnlistedSubtype[];

/** Components next to each listed part. */
export const UNLISTED_PARTS = SUBTYPES.flatMap((subtype) =>
  COMPONENTS[subtype].parts.map((part) => ({ part, subtype })),
);

/** Returns whether a subtype names an adjacent component, which is repaired separately. */
export function isUnlisted(subtype: string | undefined): subtype is UnlistedSubtype {
  return subtype !== undefined && Object.hasOwn(COMPONENTS, subtype);
}

/** Returns the word for the component that a subtype names, if it precedes that of the damage. */
export const findAdjective = (subtype: string | undefined): string | undefined =>
  isUnlisted(subtype) ? COMPONENTS[subtype].adjective : undefined;

/** Subtypes that a reviewer may state: the part is missing or displaced, or which adjacent component is damaged. */
export const STATED_SUBTYPES = ['missing_part', 'misaligned_part', ...SUBTYPES] as const;
