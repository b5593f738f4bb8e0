import sharp from 'sharp';
import type { PictureSource } from '../../../src/report/pictures.ts';

/** A source that paints pictures: a street-like gradient with grain, about as heavy as a real photo. */
export function paintPictures(): PictureSource {
  const paint = async (width: number, height: number, seed: number) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="hsl(${(seed * 47) % 360} 35% 78%)"/><stop offset="0.6" stop-color="hsl(${(seed * 47) % 360} 12% 52%)"/><stop offset="1" stop-color="#444"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#s)"/><ellipse cx="50%" cy="55%" rx="38%" ry="24%" fill="hsl(${(seed * 91) % 360} 45% 42%)"/></svg>`;
    const grain = await sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma: 14 },
      },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const jpeg = await sharp(Buffer.from(svg))
      .composite([{ input: grain, blend: 'soft-light' }])
      .jpeg({ quality: 78 })
      .toBuffer();
    return { jpeg, width, height };
  };
  const scaled = (width: number, height: number, maxSide: number) => {
    const scale = Math.min(1, maxSide / Math.max(width, height));
    return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))] as const;
  };
  return {
    async load(photo, wanted) {
      return {
        photo: await paint(...scaled(photo.width, photo.height, wanted.maxSide), photo.index),
        crops: await Promise.all(
          wanted.crops.map((crop, index) =>
            paint(...scaled(crop.region.width, crop.region.height, crop.maxSide), photo.index + index),
          ),
        ),
      };
    },
  };
}

export const ONE_PIXEL = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AKp//2Q==',
  'base64',
);

/** Painted noise differs from run to run: one plain picture for all serves where bytes are compared. */
export const paintedOnce = {
  load: async (_photo: unknown, wanted: { crops: readonly unknown[] }) => {
    const picture = { jpeg: ONE_PIXEL, width: 1, height: 1 };
    return { photo: picture, crops: wanted.crops.map(() => picture) };
  },
};
