import type { Quad } from '../quad.ts';

/** A number plate in a photo, or what a model mistakes for one. */
export interface Plate {
  /** Corners in pixels of the upright photo. */
  readonly corners: Quad;
  /** 0 to 1. */
  readonly confidence: number;
}
