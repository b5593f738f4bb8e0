import { checkShot, type ShotHint } from '../domain/grading/check-shot.ts';
import type { Angle, PhotoFacts, PhotoRejection } from '../domain/photo.ts';
import { type Appearance, measureAppearance } from '../domain/sight/vehicles.ts';
import type { PhotoReader, Vision } from './ports.ts';
import type { PhotoSource } from './request.ts';

/** The check of a photo taken just now, or the reason why it is unusable. */
export type CheckedShot =
  | {
      readonly ok: true;
      readonly facts: PhotoFacts;
      /** What to change, most important first. */
      readonly hints: readonly ShotHint[];
      /** Null for a photo taken without a wanted view. */
      readonly appearance: Appearance | null;
    }
  | { readonly ok: false; readonly rejection: PhotoRejection };

/** Quality issues that retaking the photo can avoid. */
const AVOIDABLE = ['blur', 'dark', 'bright', 'glare', 'low_resolution'] as const;

/**
 * Checks a photo taken to show an outside view of the vehicle: it must be sharp, well lit, and show the whole vehicle
 * from that side. Without a wanted view (a close-up, the dashboard) only the quality of the photo counts.
 */
export async function checkPhoto(
  source: PhotoSource,
  wanted: Angle | null,
  { reader, vision }: { readonly reader: PhotoReader; readonly vision: Pick<Vision, 'findParts'> },
): Promise<CheckedShot> {
  const reading = await reader.read(source);
  if (!reading.ok) return { ok: false, rejection: reading.rejection };
  const { facts, raster, issues } = reading.photo;
  const isFound = (code: string) => issues.some((issue) => issue.code === code);
  const quality = AVOIDABLE.filter(isFound).map((code) => ({ code }));
  if (wanted === null) return { ok: true, facts, hints: quality, appearance: null };
  const map = await vision.findParts({ raster, size: facts.size });
  return {
    ok: true,
    facts,
    hints: [...checkShot(map, wanted), ...quality],
    appearance: measureAppearance(raster, map),
  };
}
