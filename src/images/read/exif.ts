import exifr from 'exifr';
import { defined } from '../../lib/objects.ts';

const TAGS = ['Make', 'Model', 'Software', 'DateTimeOriginal', 'OffsetTimeOriginal'] as const;
const MAX_LENGTH = 100;

/**
 * Reads time, camera and software from a photo's EXIF data, which can be forged; ignores the location. The time is
 * ISO 8601, local if the photo names no valid zone.
 */
export async function readExif(bytes: Uint8Array) {
  const found = await exifr
    .parse(bytes, { pick: [...TAGS], reviveValues: false, gps: false })
    .catch(() => undefined);
  const [make, model, software, time, offset] = TAGS.map((tag) => cleanText(found?.[tag]));
  const takenAt = readTime(time, offset);
  const isMakeNamed = model?.toLowerCase().startsWith(make?.split(' ')[0]?.toLowerCase() ?? '');
  const camera = model && make && !isMakeNamed ? `${make} ${model}` : (model ?? make);
  return defined({ taken_at: takenAt, camera, software });
}

/** Date and time with colons (EXIF 2.32, 4.6.5) or as ISO 8601, which some programs write; with fractions and zone. */
const TIME = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** Returns a time as ISO 8601, without an invalid zone; undefined if invalid: a clock that was never set has zeros. */
function readTime(time = '', offset = ''): string | undefined {
  const [, year, month, day, clock, ownZone] = TIME.exec(time) ?? [];
  const local = `${year}-${month}-${day}T${clock}`;
  const read = new Date(`${local}Z`);
  if (Number.isNaN(read.getTime()) || !read.toISOString().startsWith(local)) return undefined;
  const zoned = `${local}${ownZone ?? offset}`;
  return TIME.test(zoned) && !Number.isNaN(Date.parse(zoned)) ? zoned : local;
}

/** Makes a text printable and truncates it if long. */
function cleanText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return (
    value
      .replace(/\p{C}+/gu, ' ')
      .trim()
      .slice(0, MAX_LENGTH) || undefined
  );
}
