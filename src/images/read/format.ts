import type { PhotoFormat } from '../../domain/photo.ts';

/** File type by signature: a supported photo format, another known type (by name), or unknown. */
type Sniffed =
  | { readonly kind: 'photo'; readonly format: PhotoFormat }
  | { readonly kind: 'other'; readonly name: string }
  | { readonly kind: 'unknown' };

/** Number of bytes for `sniffFormat`; shorter files may have fewer. */
export const SNIFF_BYTES = 256;

const SIGNATURES: readonly (readonly [magic: string, name: string])[] = [
  ['GIF87a', 'a GIF image'],
  ['GIF89a', 'a GIF image'],
  ['II*\0', 'a TIFF or camera raw image'],
  ['MM\0*', 'a TIFF or camera raw image'],
  ['II+\0', 'a TIFF image'],
  ['MM\0+', 'a TIFF image'],
  ['%PDF', 'a PDF document'],
  ['8BPS', 'a Photoshop document'],
  ['\0\0\0\x0cJXL ', 'a JPEG XL image'],
  ['\xff\x0a', 'a JPEG XL image'],
  ['\0\0\0\x0cjP  ', 'a JPEG 2000 image'],
  ['\0\0\x01\0', 'an icon file'],
  ['PK\x03\x04', 'a ZIP archive or office document'],
  ['\x1f\x8b', 'a gzip archive'],
  ['\x1aE\xdf\xa3', 'a Matroska or WebM video'],
];

/** Documents of markup, also after a byte order mark; an XML declaration, and comments after it, may precede `<svg>`. */
const MARKUP: readonly (readonly [start: RegExp, name: string])[] = [
  [/^(\xef\xbb\xbf)?\s*(<\?xml.*)?<(svg|!DOCTYPE svg)[\s>]/is, 'an SVG image'],
  [/^(\xef\xbb\xbf)?\s*<\?xml/i, 'an XML document'],
  [/^(\xef\xbb\xbf)?\s*<(!DOCTYPE html|html|head|body)/i, 'a web page'],
];

const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);
const AVIF_BRANDS = new Set(['avif', 'avis']);
/** Brands of still pictures whose codec, HEVC or another, only the items reveal. */
const HEIF_BRANDS = new Set([
  ...['mif1', 'mif2', 'msf1', 'miaf'],
  ...['avci', 'avcs', 'j2ki', 'j2is', 'jpeg', 'jpgs', 'vvic', 'vvis', 'evbi', 'evmi', 'unif'],
]);

/** Detects the type of a file from its content; name and extension are ignored. */
export function sniffFormat(bytes: Uint8Array): Sniffed {
  const head = Buffer.from(bytes.subarray(0, SNIFF_BYTES)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return { kind: 'photo', format: 'jpeg' };
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return { kind: 'photo', format: 'png' };
  if (head.slice(4, 8) === 'ftyp') return sniffIsoMedia(head);
  // After the file's size come reserved zeros; a text may begin with the same letters: BMW.
  if (/^BM.{4}\0{4}/s.test(head)) return { kind: 'other', name: 'a BMP image' };
  if (/^RIFF.{4}WEBP/s.test(head)) return { kind: 'other', name: 'a WebP image' };
  for (const [magic, name] of SIGNATURES) {
    if (head.startsWith(magic)) return { kind: 'other', name };
  }
  const named = MARKUP.find(([start]) => start.test(head));
  return named ? { kind: 'other', name: named[1] } : { kind: 'unknown' };
}

/** Returns true for a photo, and for images and videos in other formats. */
export const isPicture = (sniffed: Sniffed): boolean =>
  sniffed.kind === 'photo' || (sniffed.kind === 'other' && /image|video|Photoshop/.test(sniffed.name));

function sniffIsoMedia(head: string): Sniffed {
  const brands = [head.slice(8, 12)];
  const boxLength = Buffer.from(head.slice(0, 4), 'latin1').readUInt32BE();
  for (let at = 16; at + 4 <= Math.min(boxLength, head.length); at += 4) brands.push(head.slice(at, at + 4));
  const [major = ''] = brands;
  if (HEIC_BRANDS.has(major)) return { kind: 'photo', format: 'heic' };
  if (AVIF_BRANDS.has(major)) return { kind: 'other', name: 'an AVIF image' };
  if (HEIF_BRANDS.has(major)) {
    if (brands.some((brand) => HEIC_BRANDS.has(brand))) return { kind: 'photo', format: 'heic' };
    if (brands.some((brand) => AVIF_BRANDS.has(brand))) return { kind: 'other', name: 'an AVIF image' };
    return { kind: 'photo', format: 'heic' };
  }
  if (major === 'crx ') return { kind: 'other', name: 'a camera raw image' };
  return { kind: 'other', name: 'a video (MP4 or QuickTime)' };
}
