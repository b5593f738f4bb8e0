import { describe, expect, it } from 'vitest';
import { sniffFormat } from '../../../../src/images/read/format.ts';

const ftyp = (...brands: string[]): Buffer => {
  const [major = '', ...compatible] = brands;
  const body = Buffer.from(`ftyp${major}\0\0\0\0${compatible.join('')}`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([length, body, Buffer.alloc(80)]);
};
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('sniffFormat', () => {
  it.each([
    ['JFIF', latin('\xff\xd8\xff\xe0\0\x10JFIF'), 'jpeg'],
    ['EXIF JPEG', latin('\xff\xd8\xff\xe1'), 'jpeg'],
    ['PNG', latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'png'],
    ['iPhone', ftyp('heic', 'mif1', 'heic'), 'heic'],
    ['10-bit', ftyp('heix', 'mif1'), 'heic'],
    ['neutral brand with HEVC', ftyp('mif1', 'miaf', 'heic'), 'heic'],
    ['neutral brand that says no codec', ftyp('mif1', 'miaf'), 'heic'],
    ['sequence', ftyp('hevc', 'msf1'), 'heic'],
  ])('knows a photo: %s', (_name, bytes, format) => {
    expect(sniffFormat(bytes)).toEqual({ kind: 'photo', format });
  });

  it.each([
    ['AVIF', ftyp('avif', 'mif1'), 'an AVIF image'],
    ['AVIF behind a neutral brand', ftyp('mif1', 'avif', 'miaf'), 'an AVIF image'],
    ['MP4', ftyp('isom', 'mp42'), 'a video (MP4 or QuickTime)'],
    ['CR3', ftyp('crx ', 'isom'), 'a camera raw image'],
    ['JPEG XL', latin('\xff\x0arest'), 'a JPEG XL image'],
    ['camera raw', latin('II*\0'), 'a TIFF or camera raw image'],
    ['BMP', latin('BM6\x0a\0\0\0\0\0\x006\0\0\0('), 'a BMP image'],
    ['SVG with white space', latin('\n  <svg>'), 'an SVG image'],
    ['SVG of Inkscape', latin(`<?xml version="1.0"?>\n<!-- ${'-'.repeat(99)} -->\n<svg\n`), 'an SVG image'],
    ['web page', latin('<html>'), 'a web page'],
    ['web page with its type', latin('<!DOCTYPE html><html>'), 'a web page'],
    ['XML', latin('<?xml version="1.0"?><testsuites/>'), 'an XML document'],
    ['GIF', latin('GIF89a'), 'a GIF image'],
    ['WebP', latin('RIFF\x10\0\0\0WEBPVP8 '), 'a WebP image'],
    ['PDF', latin('%PDF-1.7\n'), 'a PDF document'],
    ['ZIP', latin('PK\x03\x04rest'), 'a ZIP archive or office document'],
  ])('names another kind: %s', (_name, bytes, name) => {
    expect(sniffFormat(bytes)).toEqual({ kind: 'other', name });
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['half a signature', latin('\xff\xd8')],
    ['text', latin('hello')],
    ['text that begins like a BMP image', latin('BMW 320i, the left door was hit.')],
    ['text with the letters of a WebP image', latin('my list:WEBP files')],
    ['zeros', new Uint8Array(100)],
  ])('makes nothing of %s', (_name, bytes) => {
    expect(sniffFormat(bytes)).toEqual({ kind: 'unknown' });
  });
});
