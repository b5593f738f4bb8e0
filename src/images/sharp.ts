import sharp, { type Sharp, type SharpInput, type SharpOptions } from 'sharp';

// libvips' own settings are per process: each file is read once, so a cache only costs memory, and one thread per
// picture is fastest because several pictures are decoded at a time.
sharp.cache(false);
sharp.concurrency(1);

/** Opens an image with the program's settings: damage to the file is an error, never grey stripes. */
export function openImage(input: SharpInput, options: SharpOptions = {}): Sharp {
  return sharp(input, { failOn: 'error', sequentialRead: true, ...options });
}
