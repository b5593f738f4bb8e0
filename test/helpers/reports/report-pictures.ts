import sharp from 'sharp';
import type { Size } from '../../../src/domain/geometry.ts';
import type { PictureSource } from '../../../src/report/pictures.ts';

async function paint({ width, height }: Size, maxSide: number) {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  const create = { ...size, channels: 3, background: '#789' } as const;
  return { ...size, jpeg: await sharp({ create }).jpeg().toBuffer() };
}

/** Plain pictures of the size that is asked for. */
export const plainPictures: PictureSource = {
  load: async (photo, { maxSide, crops }) => ({
    photo: await paint(photo, maxSide),
    crops: await Promise.all(crops.map((crop) => paint(crop.region, crop.maxSide))),
  }),
};

export const ONE_PIXEL = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AKp//2Q==',
  'base64',
);

/** One pixel for every picture, where only its place matters. */
export const paintedOnce = {
  load: async (_photo: unknown, wanted: { crops: readonly unknown[] }) => {
    const picture = { jpeg: ONE_PIXEL, width: 1, height: 1 };
    return { photo: picture, crops: wanted.crops.map(() => picture) };
  },
};
