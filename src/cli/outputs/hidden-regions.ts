import { Check } from 'typebox/value';
import { type Static, Type } from '../../lib/type.ts';

const RegionsSchema = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({
      x: Type.Number({ minimum: 0 }),
      y: Type.Number({ minimum: 0 }),
      width: Type.Number({ exclusiveMinimum: 0 }),
      height: Type.Number({ exclusiveMinimum: 0 }),
    }),
  ),
);
/** Regions to blur by photo, in pixels of the upright photo. */
export type Regions = Static<typeof RegionsSchema>;

/**
 * Returns whether a parsed file is a list of regions per photo. In a file of its own because the schema library takes
 * 0.2 s to load.
 */
export function isRegions(value: unknown): value is Regions {
  return Check(RegionsSchema, value);
}
