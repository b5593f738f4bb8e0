import sharp, { type Sharp, type SharpInput, type SharpOptions } from 'sharp';

// libvips' settings are per process. Each file is read once, so a cache only wastes memory; several pictures are
// decoded in parallel, so one thread per picture is fastest.
sharp.cache(false);
sharp.concurrency(1);

/** Opens an image with common settings; damaged data is an error instead of grey stripes. */
export function openImage(input: SharpInput, options: SharpOptions = {}): Sharp {
  return sharp(input, { failOn: 'error', sequentialRead: true, ...options });
}
