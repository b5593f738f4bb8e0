import { expect, it } from 'vitest';
import { refuseCostlyStructure } from '../../../../src/images/read/checked-photo.ts';
import { loadPhotoRules } from '../../../../src/images/read/photo-rules.ts';
import { PhotoRejectedError } from '../../../../src/images/read/rejection.ts';
import { box, u16 } from '../grid-heic.ts';

const rules = loadPhotoRules();
/** What a photo is refused for; undefined for none. */
function findExcess(bytes: Buffer): string | undefined {
  try {
    refuseCostlyStructure('photo', bytes, 'heic', rules);
    return undefined;
  } catch (error) {
    if (error instanceof PhotoRejectedError) return error.rejection.found;
    throw error;
  }
}
const version = Buffer.alloc(4);
/** A picture with this id, made from others. */
const made = (id: number, parts: readonly number[]) => box('dimg', u16(id, parts.length, ...parts));
const heic = (references: readonly Buffer[], kind = 'grid') => {
  const entry = box('infe', Buffer.from([2, 0, 0, 0]), u16(1, 0), Buffer.from(kind, 'latin1'));
  const meta = box('meta', version, box('iinf', version, u16(1), entry), box('iref', version, ...references));
  return Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0mif1', 'latin1')), meta]);
};
const times = (count: number, id: number) => Array.from({ length: count }, () => id);

it.each<[string, Buffer[], found?: string]>([
  ['a grid of as many tiles as 60 MP have', [made(1, times(229, 2))]],
  ['a grid of too many', [made(1, times(401, 2))], 'a HEIC photo of 401 tiles'],
  ['grids of grids', [made(1, times(30, 2)), made(2, times(30, 3))], 'a HEIC photo of 900 tiles'],
  ['a picture and its gain map', [made(1, [2, 3]), made(2, times(192, 4)), made(3, times(48, 5))]],
  ['a picture made from itself', [made(1, [2]), made(2, [1])]],
  ['pictures nested 9,000 deep', times(9000, 1).map((_, i) => made(i + 1, [i + 2]))],
  ['one made of 60,000 lists', times(60_000, 1).map((id) => made(id, [2])), 'a HEIC photo of 60000 tiles'],
])('HEIC: %s', (_name, references, found) => {
  expect(findExcess(heic(references))).toBe(found);
});

it('HEIC: two sets of metadata, of which the first would hide what the second says', () => {
  const decoy = box('meta', version);
  const hidden = Buffer.concat([decoy, heic([made(1, times(401, 2))])]);
  expect(findExcess(hidden)).toBe('a HEIC photo of two sets of metadata');
});

it('HEIC: pictures laid over each other, and boxes that end in the middle', () => {
  const overlay = heic([made(1, [2, 2])], 'iovl');
  expect(findExcess(overlay)).toBe('a HEIC photo of pictures laid over each other');
  for (let length = 0; length < overlay.length; length++)
    expect(() => findExcess(overlay.subarray(0, length))).not.toThrow();
});
