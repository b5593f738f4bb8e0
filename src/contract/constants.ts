/** Constants without schemas, which are slow to load and large in a page. */

/** Version of the result schemas, `meta.schema_version`. */
export const SCHEMA_VERSION = '1.1';

/** Maximum characters of the name of a key, of a reviewer, and of a note on a decision. */
export const MAX_KEY_NAME = 120;
export const MAX_REVIEWER = 120;
export const MAX_NOTE_LENGTH = 500;
/** Maximum price of a part that a reviewer agrees on, in the currency of the result. */
export const MAX_PRICE = 100_000_000;

/** A person's decisions on a row of a comparison. */
export const ROW_DECISIONS = ['new', 'was_there', 'not_chargeable'] as const;
