import type { Sharp } from 'sharp';
import type { openImage } from '../../../src/images/sharp.ts';

/** How often pixels were decoded from files, by size of the file in bytes; a look at the header decodes none. */
export const decodes = new Map<number, number>();

/** Stands in for the room's `openImage`, and counts what is decoded from files. */
export function countDecodes(open: typeof openImage): typeof openImage {
  const count = (bytes: number, by: number) => decodes.set(bytes, (decodes.get(bytes) ?? 0) + by);
  return (input, options): Sharp => {
    const image = open(input, options);
    if (options?.raw !== undefined || !(input instanceof Uint8Array)) return image;
    count(input.byteLength, 1);
    const metadata = image.metadata.bind(image);
    return Object.assign(image, {
      metadata: () => {
        count(input.byteLength, -1);
        return metadata();
      },
    });
  };
}
