import type { PhotoRejection } from '../../domain/photo.ts';
import { measurePaintColour } from '../../domain/sight/paint.ts';
import type { PhotoReader, Vision } from '../ports.ts';
import type { PhotoSource, SeenPhoto, SeenPhotos } from '../request.ts';

/**
 * Reads a photo and, for one of the outside, lets the models look at it; what `seen` holds of it already is not done
 * again, and what was done is added to `seen`.
 */
export async function seePhoto(
  source: PhotoSource,
  exterior: boolean,
  deps: { readonly reader: PhotoReader; readonly vision: Vision },
  seen?: SeenPhotos,
): Promise<{ ok: true; photo: SeenPhoto } | { ok: false; rejection: PhotoRejection }> {
  const known = seen?.get(source);
  if (known && (known.sighting || !exterior)) return { ok: true, photo: known };
  const reading = await deps.reader.read(source);
  if (!reading.ok) return reading;
  const { facts, issues, perceptualHash, raster } = reading.photo;
  const sighting = exterior ? await deps.vision.see({ raster, size: facts.size }) : null;
  const paint = sighting ? measurePaintColour(raster, sighting.parts) : null;
  const photo = { facts, issues, perceptualHash, sighting, paint };
  seen?.set(source, photo);
  return { ok: true, photo };
}
