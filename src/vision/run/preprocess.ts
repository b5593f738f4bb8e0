import type { ModelInput } from '../models/manifest.ts';

/** Per channel, what each of the 256 pixel values becomes: (value / 255 - mean) / std. */
type ChannelTables = readonly [Float32Array, Float32Array, Float32Array];

/** Returns the look-up tables of a model's normalisation. */
export function makeChannelTables({ mean, std }: Pick<ModelInput, 'mean' | 'std'>): ChannelTables {
  const table = (channel: 0 | 1 | 2) =>
    Float32Array.from({ length: 256 }, (_, value) => (value / 255 - mean[channel]) / std[channel]);
  return [table(0), table(1), table(2)];
}

/**
 * Writes RGB pixels (row by row, three bytes each) as normalised planes (all red, all green, all blue) into `target`,
 * which holds three floats per pixel and is reused from picture to picture.
 */
export function toPlanes(rgb: Uint8Array, tables: ChannelTables, target: Float32Array): void {
  const pixels = rgb.length / 3;
  const [red, green, blue] = tables;
  for (let pixel = 0, at = 0; pixel < pixels; pixel++, at += 3) {
    target[pixel] = red[rgb[at] as number] as number;
    target[pixels + pixel] = green[rgb[at + 1] as number] as number;
    target[2 * pixels + pixel] = blue[rgb[at + 2] as number] as number;
  }
}
