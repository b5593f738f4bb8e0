import pLimit from 'p-limit';
import type { Photo } from '../../contract/inspection.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import type { Engine } from '../../engine/engine.ts';

/** Maximum cached maps, about 20 kB each. */
const MAX_CACHED = 200;

/**
 * Creates the part maps of photos under review. Segments one at a time, when first drawn on; keeps the maps in an LRU cache.
 * @param read returns the picture of a photo, or undefined if it is currently unavailable
 */
export function createPartMaps(
  engine: Pick<Engine, 'segmentParts'>,
  read: (inspectionId: string, photo: Photo) => Promise<Uint8Array | undefined>,
) {
  const cache = new Map<string, Promise<PartMap | null>>();
  const serialize = pLimit(1);

  async function segment(inspectionId: string, photo: Photo): Promise<PartMap | null> {
    const bytes = await read(inspectionId, photo);
    return bytes ? engine.segmentParts({ kind: 'bytes', bytes, name: photo.url }) : null;
  }

  return {
    /** Segments the photo's stored picture; null if the picture is unavailable. */
    get(inspectionId: string, photo: Photo): Promise<PartMap | null> {
      const key = `${inspectionId} ${photo.index}`;
      const map = cache.get(key) ?? serialize(() => segment(inspectionId, photo));
      // Reinserting moves the key to the end of the LRU order.
      cache.delete(key);
      cache.set(key, map);
      const [oldest] = cache.keys();
      if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
      // A missing picture may be available next time.
      map.then((partMap) => partMap ?? cache.delete(key)).catch(() => cache.delete(key));
      return map;
    },
    /** Waits for pending segmentations. */
    async settle() {
      await Promise.allSettled(cache.values());
    },
  };
}
export type PartMaps = ReturnType<typeof createPartMaps>;
