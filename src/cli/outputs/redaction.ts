import type { Settings } from '../../config/settings.ts';
import type { Photo } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import type { Quad } from '../../domain/quad.ts';
import { VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { sumBy } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import { describeRedaction, listCoveredFindings, listPlateRegions } from '../../report/blurred-plates.ts';
import { namePhoto } from '../../report/figures.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';

/** Opens the blurring of plates found by the inspection, according to the setting. */
export function openRedaction(
  { value, source }: Pick<Settings['redact'], 'value' | 'source'>,
  ctx: CliContext,
) {
  const isOn = value === 'on';
  const plates = new Map<string, number | null>();
  /** Findings covered by plates, keyed by their sentence; photos may be opened concurrently, in any order. */
  const covered = new Map<string, number>();
  let reportedPhotos = 0;
  return {
    isOn,
    /** Returns the reports' note on blurred plates and its limits; undefined if off, or if no photo was searched. */
    note: (...results: readonly Pick<Result, 'inspection'>[]) =>
      isOn ? describeRedaction(results.flatMap(({ inspection }) => inspection?.data ?? [])) : undefined,
    /**
     * Returns the plates to blur in a picture of a photo, in upright pixels, and counts them for `report`.
     * @throws VehiError engine NO_PLATE_MODEL if the flag asks for blurring and the photo was not searched
     */
    findRegions(photo: Photo, { inspection }: Pick<Result, 'inspection'>): readonly Quad[] {
      if (!isOn) return [];
      if (photo.plates === undefined && source === 'flag') {
        const message = `${escapeName(photo.url)} was inspected without a model that finds number plates, so none is blurred.`;
        const hint = 'Inspect it with the models that come with vehi, or pass --redact off.';
        throw new VehiError('engine', 'NO_PLATE_MODEL', message, { hint });
      }
      const regions = listPlateRegions(photo);
      // Vehicles of a fleet may have the same file names.
      const key = `${photo.sha256} ${photo.url}`;
      plates.set(key, photo.plates === undefined ? null : regions.length);
      if (!inspection) return regions;
      const name = escapeName(namePhoto(photo.url, inspection.data.images));
      for (const number of listCoveredFindings(photo, inspection.data))
        covered.set(`number ${number} in ${name}`, number);
      return regions;
    },
    /** Prints on stderr which plates were blurred and which findings they cover, if photos came since the last call. */
    async report(): Promise<void> {
      if (plates.size === reportedPhotos) return;
      reportedPhotos = plates.size;
      await writeStatus(ctx, describeFound([...plates.values()]));
      const places = [...covered].sort(([, a], [, b]) => a - b).map(([place]) => place);
      if (places.length > 0)
        await writeStatus(ctx, `vehi: a blurred plate covers part of ${places.join(', ')}`);
    },
  };
}

/** Limits of the detection; models/README.md has the figures. */
const LIMITS = 'About one plate in five is missed, and faces are not looked for: check the pictures.';

export type Redaction = Readonly<ReturnType<typeof openRedaction>>;

/**
 * Describes the blurred plates, the photos that were not searched, the limits of the detection, and the flag to disable it.
 * @param plates number of plates in each photo; null for a photo that was not searched
 */
function describeFound(plates: readonly (number | null)[]): string {
  const counts = plates.filter((count) => count !== null);
  if (counts.length === 0)
    return "vehi: number plates are not blurred: this inspection's models cannot detect them.";
  const total = sumBy(counts, (count) => count);
  const photos = formatCount(counts.length, 'photo');
  const found =
    total === 0
      ? `no number plate found in ${photos}, so none is blurred.`
      : `${formatCount(total, 'number plate')} blurred in ${counts.filter((count) => count > 0).length} of ${photos} (--redact off shows them).`;
  const unsearched = plates.length - counts.length;
  const omitted = ` ${formatCount(unsearched, 'photo was', 'photos were')} not searched for plates.`;
  return `vehi: ${found}${unsearched === 0 ? '' : omitted} ${LIMITS}`;
}
