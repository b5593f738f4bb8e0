import exifr from 'exifr';
import type { EvidenceFile } from './manifest.ts';

/** What a photo says of itself; others can write it too, so it is a statement, not a finding. */
export type PhotoFacts = Omit<NonNullable<EvidenceFile['photo']>, 'url'>;

const TAGS = ['Make', 'Model', 'Software', 'DateTimeOriginal', 'OffsetTimeOriginal'] as const;
const LONGEST = 100;

/** Reads time, camera and software from the EXIF data of a photo; where it was taken is not read. */
export async function readPhotoFacts(bytes: Uint8Array): Promise<PhotoFacts> {
  const found = await exifr
    .parse(Buffer.from(bytes), { pick: [...TAGS], reviveValues: false, gps: false })
    .catch(() => undefined);
  const [make, model, software, time, offset] = TAGS.map((tag) => tidy(found?.[tag]));
  const [, day, hour] = /^(\d{4}:\d\d:\d\d) (\d\d:\d\d:\d\d)$/.exec(time ?? '') ?? [];
  const zone = /^[+-]\d\d:\d\d$/.test(offset ?? '') ? offset : '';
  const camera = model && make && !model.startsWith(make) ? `${make} ${model}` : (model ?? make);
  return {
    ...(day && hour ? { taken_at: `${day.replaceAll(':', '-')}T${hour}${zone}` } : {}),
    ...(camera ? { camera } : {}),
    ...(software ? { software } : {}),
  };
}

/** Returns a text as it can be shown, cut where it is long. */
function tidy(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return (
    value
      .replace(/\p{C}+/gu, ' ')
      .trim()
      .slice(0, LONGEST) || undefined
  );
}
