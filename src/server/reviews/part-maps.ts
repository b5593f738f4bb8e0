import pLimit from 'p-limit';
import type { Photo } from '../../contract/inspection.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import type { Engine } from '../../engine/engine.ts';

/** What of the vehicle is where in the photos of inspections under review. */
export interface PartMaps {
  /** By a look at the picture of the photo; null where it cannot be had. */
  of(inspectionId: string, photo: Photo): Promise<PartMap | null>;
  /** Waits for the looks that are under way. */
  settle(): Promise<void>;
}

/** About 20 kB each. */
const KEPT_MAX = 200;

/**
 * Looks at one photo after the other when a person first draws on it, and remembers what was seen last.
 * @param read returns the picture of a photo; undefined where it cannot be had now
 */
export function createPartMaps(
  engine: Pick<Engine, 'lookAt'>,
  read: (inspectionId: string, photo: Photo) => Promise<Uint8Array | undefined>,
): PartMaps {
  const known = new Map<string, Promise<PartMap | null>>();
  const inTurn = pLimit(1);

  async function look(inspectionId: string, photo: Photo): Promise<PartMap | null> {
    const bytes = await read(inspectionId, photo);
    return bytes ? engine.lookAt({ kind: 'bytes', bytes, name: photo.url }) : null;
  }

  return {
    of(inspectionId, photo) {
      const key = `${inspectionId} ${photo.index}`;
      const map = known.get(key) ?? inTurn(() => look(inspectionId, photo));
      // Used last, forgotten last.
      known.delete(key);
      known.set(key, map);
      const [oldest] = known.keys();
      if (known.size > KEPT_MAX && oldest !== undefined) known.delete(oldest);
      // A picture that is missing may be back the next time.
      map.then((found) => found ?? known.delete(key)).catch(() => known.delete(key));
      return map;
    },
    async settle() {
      await Promise.allSettled(known.values());
    },
  };
}
