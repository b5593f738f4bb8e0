import { describe, expect, test } from 'vitest';
import { toGray, toPhotoType } from '../../../src/domain/photo.ts';
import { findDuplicates } from '../../../src/domain/sight/duplicates.ts';

test('gray weighs green most and blue least', () => {
  const data = Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255);
  expect([...toGray({ data, width: 4, height: 1 }).data]).toEqual([76, 149, 29, 255]);
});

test('the angle of a photo tells its type', () => {
  const types = (['dashboard', 'engine', 'front', null] as const).map(toPhotoType);
  expect(types).toEqual(['interior', 'mechanical', 'exterior', 'exterior']);
});

describe('photos that repeat an earlier one', () => {
  /** The hash of a picture with structure in every row. */
  const SCENE = 0x3c5a_3c5a_3c5a_3c5an;
  const photo = (index: number, sha256: string, hash: bigint) => ({ index, sha256, perceptualHash: hash });

  test.each([
    ['the same bytes', 'a', 0n, { kind: 'duplicate', bits: 0 }],
    ['8 bits of the hash differ', 'b', 0xffn, { kind: 'near_duplicate', bits: 8 }],
    ['9 bits of the hash differ', 'b', 0x1ffn, undefined],
  ])('%s', (_, sha256, hash, wanted) => {
    const found = findDuplicates([photo(4, 'a', SCENE), photo(7, sha256, SCENE ^ hash)]);
    expect(found).toEqual(wanted ? [{ index: 7, of: 4, ...wanted }] : []);
  });

  test.each([
    ['the dark and a wall, which are flat', 0n, 1n, false],
    ['eight cells of 64 with structure', 0xffn, 0xffn, false],
    ['eight and twelve, in this order', 0xffn, 0xfffn, false],
    ['twelve and eight', 0xfffn, 0xffn, false],
    ['nine', 0x1ffn, 0x1ffn, true],
  ])('%s: alike or not', (_, earlier, hash, alike) => {
    const found = findDuplicates([photo(0, 'a', earlier), photo(1, 'b', hash)]);
    expect(found.map(({ kind }) => kind)).toEqual(alike ? ['near_duplicate'] : []);
  });

  test('the first of several is named, once, and a copy before one that only looks like it', () => {
    const found = findDuplicates([
      photo(0, 'a', SCENE),
      photo(1, 'b', SCENE ^ 1n),
      photo(2, 'c', SCENE ^ 3n),
      photo(3, 'b', SCENE ^ 1n),
    ]);
    expect(found).toEqual([
      { index: 1, of: 0, kind: 'near_duplicate', bits: 1 },
      { index: 2, of: 0, kind: 'near_duplicate', bits: 2 },
      { index: 3, of: 1, kind: 'duplicate', bits: 0 },
    ]);
  });
});
