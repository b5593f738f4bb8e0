import { expect, it } from 'vitest';
import { decodeText } from '../../../src/lib/decode-text.ts';

const TEXT = '{"vehicle_id": "Zoë 🚗"}';
const utf16 = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');

it.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16, little end first', utf16],
  ['UTF-16, big end first', Buffer.from(utf16).swap16()],
])('a text in %s is read', (_, bytes) => {
  expect(decodeText(bytes)).toBe(TEXT);
});

it('nothing is an empty text', () => {
  expect(decodeText(Buffer.alloc(0))).toBe('');
});
