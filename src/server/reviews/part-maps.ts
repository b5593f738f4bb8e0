import pLimit from 'p-limit';
import type { Photo } from '../../contract/inspection.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import type { Store } from '../../storage/ports.ts';
import type { Programs } from '../ports.ts';
import { nameView } from './view-names.ts';

/** What of the vehicle is where in the photos of inspections under review. */
export interface PartMaps {
  /** By a look at the kept view of the photo; null where it is no longer kept. */
  of(inspectionId: string, photo: Photo): Promise<PartMap | null>;
}

/** About 20 kB each. */
const KEPT_MAX = 200;

/** Looks at one view after the other when a person first draws on it, and remembers what was seen last. */
export function createPartMaps(programs: Pick<Programs, 'engine'>, store: Pick<Store, 'blobs'>): PartMaps {
  const known = new Map<string, Promise<PartMap | null>>();
  const inTurn = pLimit(1);

  async function look(inspectionId: string, { index, url }: Photo): Promise<PartMap | null> {
    const bytes = await store.blobs.get(inspectionId, nameView(index));
    return bytes ? programs.engine.lookAt({ kind: 'bytes', bytes, name: url }) : null;
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
      map.catch(() => known.delete(key));
      return map;
    },
  };
}
