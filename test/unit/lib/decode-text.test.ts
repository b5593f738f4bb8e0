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

it.each([
  ['Windows-1252', Buffer.from('{\n"owner": "M\xfcller"}', 'latin1'), 'byte 14 (0xFC, line 2) is not UTF-8'],
  ['a cut letter at the end', Buffer.from('ab\xc3', 'latin1'), 'byte 3 (0xC3, line 1) is not UTF-8'],
  ['another code page behind a mark', Buffer.from('\xef\xbb\xbfM\xfc', 'latin1'), 'byte 5 (0xFC, line 1)'],
  ['a mark that stands for a fault', Buffer.from([0xef, 0xbf, 0xbd, 0x0a, 0xff]), 'byte 5 (0xFF, line 2)'],
])('a text in %s is refused with line and byte', (_, bytes, reason) => {
  expect(() => decodeText(bytes)).toThrow(reason);
  expect(() => decodeText(bytes)).toThrow('Windows-1252');
  expect(() => decodeText(bytes, 'vehi.json')).toThrow(`vehi.json: ${reason}`);
});

it('bytes with a zero are no text', () => {
  expect(() => decodeText(Buffer.from([0x89, 0, 1]))).toThrow('is not UTF-8; it is no text.');
});

it('half a character of UTF-16 is refused with a whole sentence', () => {
  expect(() => decodeText(utf16.subarray(0, -1), 'f.txt')).toThrow(/^f\.txt: it is not valid UTF-16LE\.$/);
});
