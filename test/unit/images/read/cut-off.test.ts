import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isTruncated } from '../../../../src/images/read/checked-photo.ts';
import { FIXTURES } from '../../../helpers/cli/run-cli.ts';

const demo = (name: string) => readFileSync(join(FIXTURES, 'vehicle', name));
const small = (format: 'jpeg' | 'png', options: object) =>
  sharp(demo('front.jpg')).resize(320).toFormat(format, options).toBuffer();

describe.each<[string, 'jpeg' | 'png' | 'heic', () => Promise<Buffer>]>([
  ['JPEG', 'jpeg', async () => demo('front.jpg')],
  ['progressive JPEG', 'jpeg', () => small('jpeg', { progressive: true })],
  ['PNG', 'png', () => small('png', {})],
  ['HEIC', 'heic', async () => demo('rear_right_closeup.heic')],
])('%s', (_name, format, make) => {
  it('is whole as it is, and with something behind it', async () => {
    const whole = await make();
    expect(isTruncated[format](whole)).toBe(false);
    expect(isTruncated[format](Buffer.concat([whole, Buffer.alloc(500)]))).toBe(false);
  });

  it('is cut off without its end, wherever that is', async () => {
    const whole = await make();
    for (const share of [0.3, 0.5, 0.9]) {
      const rest = whole.subarray(0, Math.floor(whole.length * share));
      expect([share, isTruncated[format](rest)]).toEqual([share, true]);
    }
    expect(isTruncated[format](whole.subarray(0, -2))).toBe(true);
  });
});

it('the end of a preview is not the end of the photo', () => {
  const whole = demo('front.jpg');
  // A segment of its own right behind the first marker, as cameras have it, with a preview that is whole.
  const preview = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 6]), Buffer.from([0xff, 0xd9, 0, 0])]);
  const photo = Buffer.concat([whole.subarray(0, 2), preview, whole.subarray(2)]);
  expect(isTruncated.jpeg(photo)).toBe(false);
  expect(isTruncated.jpeg(photo.subarray(0, 100_000))).toBe(true);
});
