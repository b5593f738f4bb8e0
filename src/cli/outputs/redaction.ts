import type { Settings } from '../../config/settings.ts';
import type { Photo } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import type { Quad } from '../../domain/quad.ts';
import { VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { escapeName } from '../../lib/names.ts';
import { describeRedaction, listCoveredFindings, listPlateRegions } from '../../report/blurred-plates.ts';
import { readFileName } from '../../report/figures.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';

const DETECTION_LIMITS =
  'About one plate in five is missed, and faces are not looked for: check the pictures.';

/** Starts the blurring of the plates that the inspection found, as the setting says. */
export function openRedaction(
  { value, source }: Pick<Settings['redact'], 'value' | 'source'>,
  ctx: CliContext,
) {
  const isOn = value === 'on';
  const plates = new Map<string, number>();
  /** Findings below plates by the sentence that names them; photos are opened side by side, so in any order. */
  const covered = new Map<string, number>();
  let unsearched = 0;
  let reportedPhotos = 0;
  return {
    isOn,
    /** Returns the reports' note on blurred plates and its limits; undefined if none are blurred. */
    note: (...results: readonly Pick<Result, 'inspection'>[]) =>
      isOn ? describeRedaction(results.flatMap(({ inspection }) => inspection?.data ?? [])) : undefined,
    /** Returns the plates to blur in a picture of a photo, in upright pixels, and counts them for `report`. */
    findRegions(photo: Photo, { inspection }: Pick<Result, 'inspection'>): readonly Quad[] {
      if (!isOn) return [];
      if (photo.plates === undefined && source === 'flag')
        throw new VehiError(
          'engine',
          'NO_PLATE_MODEL',
          `${escapeName(photo.url)} was inspected without a model that finds number plates, so none is blurred.`,
          { hint: 'Inspect it with the models that come with vehi, or say --redact off.' },
        );
      const regions = listPlateRegions(photo);
      // File names repeat across vehicles.
      const key = `${photo.sha256} ${photo.url}`;
      if (photo.plates === undefined && !plates.has(key)) unsearched++;
      plates.set(key, regions.length);
      const numbers = inspection ? listCoveredFindings(photo, inspection.data) : [];
      for (const number of numbers)
        covered.set(`number ${number} in ${escapeName(readFileName(photo.url))}`, number);
      return regions;
    },
    /** Prints what was blurred since the last report on stderr, and which findings lie below. */
    async report(): Promise<void> {
      if (plates.size === reportedPhotos) return;
      reportedPhotos = plates.size;
      await writeStatus(ctx, unsearched === plates.size ? UNSEARCHED : describeFound([...plates.values()]));
      const places = [...covered].sort(([, a], [, b]) => a - b).map(([place]) => place);
      if (places.length > 0)
        await writeStatus(ctx, `vehi: a blurred plate covers part of ${places.join(', ')}`);
    },
  };
}

/** Blurring of number plates in the pictures of a run. */
export type Redaction = Readonly<ReturnType<typeof openRedaction>>;

const UNSEARCHED =
  'vehi: number plates are not blurred: the models of this inspection have none that finds them.';

/** Describes the blurred plates, the limits of the detection, and the flag to disable it. */
function describeFound(plates: readonly number[]): string {
  const total = plates.reduce((sum, one) => sum + one, 0);
  const photos = formatCount(plates.length, 'photo');
  if (total === 0) return `vehi: no number plate found in ${photos}, so none is blurred. ${DETECTION_LIMITS}`;
  const shown = plates.filter((one) => one > 0).length;
  return `vehi: ${formatCount(total, 'number plate')} blurred in ${shown} of ${photos} (--redact off shows them). ${DETECTION_LIMITS}`;
}
