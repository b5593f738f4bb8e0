import type { DamageType } from './damage.ts';
import file from './type-aliases.json' with { type: 'json' };

type TypeAlias = keyof typeof file.aliases;

/** Aliases accepted for `type` in an assessment request; the alias is echoed in `subtype`. */
export const TYPE_ALIASES = file.aliases as Readonly<Record<TypeAlias, DamageType>>;
export const TYPE_ALIAS_NAMES = Object.keys(TYPE_ALIASES) as readonly TypeAlias[];

/** Returns whether a word is an alias of a contract type. */
export const isTypeAlias = (word: string): word is TypeAlias => Object.hasOwn(TYPE_ALIASES, word);
