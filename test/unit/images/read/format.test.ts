import { expect, it } from 'vitest';
import { sniffFormat } from '../../../../src/images/read/format.ts';

const ftyp = (...brands: string[]): Buffer => {
  const [major = '', ...compatible] = brands;
  const body = Buffer.from(`ftyp${major}\0\0\0\0${compatible.join('')}`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([length, body, Buffer.alloc(80)]);
};
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

it.each<[string, Uint8Array, string | undefined]>([
  ['JFIF', latin('\xff\xd8\xff\xe0\0\x10JFIF'), 'jpeg'],
  ['PNG', latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'png'],
  ['a photo of an iPhone', ftyp('heic', 'mif1', 'heic'), 'heic'],
  ['a neutral brand with HEVC', ftyp('mif1', 'miaf', 'heic'), 'heic'],
  ['a neutral brand that says no codec', ftyp('mif1', 'miaf'), 'heic'],
  ['a sequence', ftyp('hevc', 'msf1'), 'heic'],
  ['AVIF', ftyp('avif', 'mif1'), 'an AVIF image'],
  ['AVIF behind a neutral brand', ftyp('mif1', 'avif', 'miaf'), 'an AVIF image'],
  ['MP4', ftyp('isom', 'mp42'), 'a video (MP4 or QuickTime)'],
  ['CR3', ftyp('crx ', 'isom'), 'a camera raw image'],
  ['JPEG XL', latin('\xff\x0arest'), 'a JPEG XL image'],
  ['camera raw', latin('II*\0'), 'a TIFF or camera raw image'],
  ['BMP', latin('BM6\x0a\0\0\0\0\0\x006\0\0\0('), 'a BMP image'],
  ['SVG with white space', latin('\n  <svg>'), 'an SVG image'],
  ['SVG of Inkscape', latin(`<?xml version="1.0"?>\n<!-- ${'-'.repeat(99)} -->\n<svg\n`), 'an SVG image'],
  ['a web page', latin('<html>'), 'a web page'],
  ['a web page with its type', latin('<!DOCTYPE html><html>'), 'a web page'],
  ['XML', latin('<?xml version="1.0"?><testsuites/>'), 'an XML document'],
  ['GIF', latin('GIF89a'), 'a GIF image'],
  ['WebP', latin('RIFF\x10\0\0\0WEBPVP8 '), 'a WebP image'],
  ['ZIP', latin('PK\x03\x04rest'), 'a ZIP archive or office document'],
  ['nothing', new Uint8Array(0), undefined],
  ['half a signature', latin('\xff\xd8'), undefined],
  ['text that begins like a BMP image', latin('BMW 320i, the left door was hit.'), undefined],
  ['text with the letters of a WebP image', latin('my list:WEBP files'), undefined],
])('the type of a file from its content: %s', (_name, bytes, type) => {
  const sniffed = sniffFormat(bytes);
  const { format, name } = { format: undefined, name: undefined, ...sniffed };
  expect([sniffed.kind === 'photo' ? format : name, sniffed.kind === 'unknown']).toEqual([type, !type]);
});
