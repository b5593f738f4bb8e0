import pLimit from 'p-limit';
import type { InspectedResult } from '../../contract/result.ts';
import { listCertain } from '../../engine/compare/carry-over.ts';
import type { Redaction } from '../outputs/redaction.ts';
import { loadCloseUp, makeFilePictures } from '../outputs/report-pictures.ts';
import { nameKnownSlot } from './shots.ts';

/** Long side, in pixels, of the earlier photo of a known damage, sized for a phone. */
const EARLIER_SIDE_PX = 1200;

/** Opens the earlier photos of known damages, cropped to the damage and its surroundings. */
export function openEarlier(baseline: InspectedResult | undefined, redaction: Redaction) {
  const serialize = pLimit(1);
  const files = baseline && makeFilePictures(baseline, undefined, redaction);
  return {
    read: (slot: string) =>
      serialize(async () => {
        const damage =
          baseline && listCertain(baseline.inspection).find(({ number }) => nameKnownSlot(number) === slot);
        const closeUp = damage && files && (await loadCloseUp(damage, baseline, files, EARLIER_SIDE_PX));
        return closeUp?.picture.jpeg ?? null;
      }),
    async close() {
      await files?.close();
      await redaction.report();
    },
  };
}
