import sharp, { type Exif } from 'sharp';
import { expect, test } from 'vitest';
import { readExif } from '../../../../src/images/read/exif.ts';

test.each([
  ['2026:11:02 10:15:20', '+01:00', '2026-11-02T10:15:20+01:00'],
  ['2026:11:02 10:15:20', '', '2026-11-02T10:15:20'],
  ['2026-11-02T10:15:20', '', '2026-11-02T10:15:20'],
  ['2026-11-02 10:15:20.123', '', '2026-11-02T10:15:20'],
  ['2026-11-02T10:15:20Z', '', '2026-11-02T10:15:20Z'],
  ['2026:11:02 10:15:20', '+99:99', '2026-11-02T10:15:20'],
  ['0000:00:00 00:00:00', '', undefined],
  ['2026:02:30 10:15:20', '', undefined],
  ['2026:11:02 24:61:00', '', undefined],
  ['    :  :     :  :  ', '', undefined],
])('the time %j with the offset %j is %j', async (time, offset, expected) => {
  const found = await readFacts({
    IFD2: { DateTimeOriginal: time, ...(offset && { OffsetTimeOriginal: offset }) },
  });
  expect(found.taken_at).toBe(expected);
});

test.each([
  ['NIKON CORPORATION', 'NIKON D750', 'NIKON D750'],
  ['Canon', 'Canon EOS 80D', 'Canon EOS 80D'],
  ['samsung', 'SM-G991B', 'samsung SM-G991B'],
  ['Apple', '', 'Apple'],
  ['', 'iPhone 15', 'iPhone 15'],
])('a camera of %j, model %j, is %j', async (Make, Model, expected) => {
  expect((await readFacts({ IFD0: { ...(Make && { Make }), ...(Model && { Model }) } })).camera).toBe(
    expected,
  );
});

async function readFacts(exif: Exif) {
  const photo = sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } });
  return readExif(await photo.jpeg().withExif(exif).toBuffer());
}
