import { type Static, Type } from '../lib/type.ts';

/** Regions to blur, keyed by photo URL or file name, in pixels of the upright photo. */
export const RegionsToBlurSchema = Type.Record(
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
export type Regions = Static<typeof RegionsToBlurSchema>;
