import exifr from 'exifr';
import type { EvidenceFile } from './manifest.ts';

/** Metadata embedded in a photo; it can be forged, so it is a claim, not a finding. */
export type PhotoFacts = Omit<NonNullable<EvidenceFile['photo']>, 'url'>;

const TAGS = ['Make', 'Model', 'Software', 'DateTimeOriginal', 'OffsetTimeOriginal'] as const;
const MAX_LENGTH = 100;

/** Reads time, camera and software from a photo's EXIF data; ignores the location. */
export async function readPhotoFacts(bytes: Uint8Array): Promise<PhotoFacts> {
  const found = await exifr
    .parse(Buffer.from(bytes), { pick: [...TAGS], reviveValues: false, gps: false })
    .catch(() => undefined);
  const [make, model, software, time, offset] = TAGS.map((tag) => cleanText(found?.[tag]));
  const [, day, hour] = /^(\d{4}:\d\d:\d\d) (\d\d:\d\d:\d\d)$/.exec(time ?? '') ?? [];
  const zone = /^[+-]\d\d:\d\d$/.test(offset ?? '') ? offset : '';
  const camera = model && make && !model.startsWith(make) ? `${make} ${model}` : (model ?? make);
  return {
    ...(day && hour ? { taken_at: `${day.replaceAll(':', '-')}T${hour}${zone}` } : {}),
    ...(camera ? { camera } : {}),
    ...(software ? { software } : {}),
  };
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
