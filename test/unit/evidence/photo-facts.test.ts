import sharp from 'sharp';
import { expect, test } from 'vitest';
import { readPhotoFacts } from '../../../src/evidence/photo-facts.ts';

test.each([
  ['2026:11:02 10:15:20', '+01:00', '2026-11-02T10:15:20+01:00'],
  ['2026:11:02 10:15:20', '', '2026-11-02T10:15:20'],
  ['2026-11-02T10:15:20', '', '2026-11-02T10:15:20'],
  ['2026-11-02 10:15:20.123', '', '2026-11-02T10:15:20'],
  ['2026-11-02T10:15:20Z', '', '2026-11-02T10:15:20Z'],
  ['0000:00:00 00:00:00', '', undefined],
  ['2026:13:02 10:15:20', '', undefined],
  ['2026:02:30 10:15:20', '', undefined],
  ['2026:11:02 24:61:00', '', undefined],
  ['    :  :     :  :  ', '', undefined],
])('the time %j with the offset %j is %j', async (time, offset, expected) => {
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
    .jpeg()
    .withExif({ IFD2: { DateTimeOriginal: time, ...(offset && { OffsetTimeOriginal: offset }) } })
    .toBuffer();
  expect((await readPhotoFacts(photo)).taken_at).toBe(expected);
});
