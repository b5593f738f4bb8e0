import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findExcess } from '../../../../src/images/read/excess.ts';
import { loadPhotoRules } from '../../../../src/images/read/photo-rules.ts';
import { FIXTURES } from '../../../helpers/cli/run-cli.ts';

const rules = loadPhotoRules();
const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const u16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const version = Buffer.alloc(4);
/** A picture with this id, made from others. */
const made = (id: number, parts: readonly number[]) => box('dimg', u16(id, parts.length, ...parts));
const heic = (references: readonly Buffer[], kind = 'grid') =>
  Buffer.concat([
    box('ftyp', Buffer.from('heic\0\0\0\0mif1', 'latin1')),
    box(
      'meta',
      version,
      box(
        'iinf',
        version,
        u16(1),
        box('infe', Buffer.from([2, 0, 0, 0]), u16(1, 0), Buffer.from(kind, 'latin1')),
      ),
      box('iref', version, ...references),
    ),
  ]);
const times = (count: number, id: number) => Array.from({ length: count }, () => id);

it.each([
  ['a grid of as many tiles as 60 MP have', [made(1, times(229, 2))], undefined],
  ['a grid of too many', [made(1, times(401, 2))], 'a HEIC photo of 401 tiles'],
  ['grids of grids', [made(1, times(30, 2)), made(2, times(30, 3))], 'a HEIC photo of 900 tiles'],
  [
    'a picture next to its gain map',
    [made(1, [2, 3]), made(2, times(192, 4)), made(3, times(48, 5))],
    undefined,
  ],
  ['a picture made from itself', [made(1, [2]), made(2, [1])], undefined],
])('HEIC: %s', (_name, references, found) => {
  expect(findExcess(heic(references), 'heic', rules)?.found).toBe(found);
});

it('HEIC: pictures laid over each other, and boxes that end in the middle', () => {
  const overlay = heic([made(1, [2, 2])], 'iovl');
  expect(findExcess(overlay, 'heic', rules)?.found).toBe('a HEIC photo of pictures laid over each other');
  for (let length = 0; length < overlay.length; length++)
    expect(() => findExcess(overlay.subarray(0, length), 'heic', rules)).not.toThrow();
});

it.each(['front.jpg', 'rear_right_closeup.heic'])('%s has none', (name) => {
  const format = name.endsWith('jpg') ? 'jpeg' : 'heic';
  expect(findExcess(readFileSync(join(FIXTURES, 'vehicle', name)), format, rules)).toBeUndefined();
});
