import { DAMAGE_SUBTYPES, DAMAGE_TYPES } from '../domain/damage.ts';
import type { Standard } from '../domain/judge/standard.ts';
import { PART_NAMES } from '../domain/parts.ts';
import { checkText, makeDocumentError, type Source } from '../lib/check.ts';
import { Type } from '../lib/type.ts';
import bvrlaCars from './data/bvrla-cars.json' with { type: 'json' };
import rentalDesk from './data/rental-desk.json' with { type: 'json' };

const SHIPPED = [bvrlaCars, rentalDesk] as unknown as readonly Standard[];

/** Names of the bundled tables. */
export const STANDARD_NAMES: readonly string[] = SHIPPED.map(({ name }) => name);

/** Returns a bundled table; undefined for an unknown name. */
export function findStandard(name: string): Standard | undefined {
  return SHIPPED.find((one) => one.name === name);
}

const Text = Type.String({ minLength: 1, maxLength: 300 });
const list = (words: readonly string[]) =>
  Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...words] }), { minItems: 1 });

/** A custom table with the fields of the bundled ones. */
const StandardSchema = Type.Object(
  {
    name: Text,
    title: Text,
    version: Text,
    rows: Type.Array(
      Type.Object(
        {
          what: Text,
          types: list(DAMAGE_TYPES),
          subtypes: Type.Optional(list(DAMAGE_SUBTYPES)),
          parts: Type.Optional(list(PART_NAMES)),
          not_on: Type.Optional(list(PART_NAMES)),
          largest_mm: Type.Number({ minimum: 0, maximum: 5000 }),
          most_per_panel: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
          most_along_edge: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
          paint_unbroken: Type.Optional(Type.Boolean()),
          unless: Type.Optional(Text),
          source: Text,
          date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 200 },
    ),
  },
  { additionalProperties: false },
);

/**
 * Parses a custom table.
 * @throws VehiError input INVALID_STANDARD naming every invalid field, and rows that an earlier one hides
 */
export function parseStandard(text: string, document: string): Standard {
  const source: Source = {
    document,
    kind: 'input',
    code: 'INVALID_STANDARD',
    hint: 'docs/using/standards.md shows a table with every field.',
  };
  const standard = checkText(StandardSchema, text, source) as unknown as Standard;
  const faults = standard.rows.flatMap((row, at) => {
    const earlier = standard.rows
      .slice(0, at)
      .findIndex(
        (one) =>
          row.types.every((type) => one.types.includes(type)) &&
          JSON.stringify(one.subtypes) === JSON.stringify(row.subtypes) &&
          (one.parts === undefined || (row.parts?.every((part) => one.parts?.includes(part)) ?? false)),
      );
    if (earlier < 0) return [];
    const message = `rows[${at}] (${row.what}) is never used: rows[${earlier}] holds for all of it. Put it first.`;
    return [{ code: source.code, field: `rows[${at}]`, message }];
  });
  if (faults.length > 0) throw makeDocumentError(source, faults);
  return standard;
}
