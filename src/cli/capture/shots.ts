import pLimit from 'p-limit';
import type { Shot } from '../../contract/capture.ts';
import type { InspectedResult } from '../../contract/result.ts';
import { WALK_AROUND } from '../../domain/sight/walk-around.ts';
import { listCertain } from '../../engine/compare/carry-over.ts';
import { namePartAndDamage } from '../../report/compare/comparison-words.ts';
import type { Translator } from '../../report/translator.ts';
import type { Redaction } from '../outputs/redaction.ts';
import { loadCloseUp, makeFilePictures } from '../outputs/report-pictures.ts';

export type WantedShot = Omit<Shot, 'photos'>;

/** One new photo, without an earlier one to repeat. */
const SINGLE = { has_earlier: false, takes_several: false };

const nameKnownSlot = (number: number) => `known_${number}`;

/**
 * Lists the photos that a capture requests: the views around the vehicle, each known damage of the handover, and
 * optional ones.
 */
export function listShots(baseline: InspectedResult | undefined, t: Translator): readonly WantedShot[] {
  const known = baseline ? listCertain(baseline.inspection) : [];
  return [
    ...WALK_AROUND.map((angle) => ({ slot: angle, kind: 'view' as const, angle, ...SINGLE })),
    ...known.map((damage) => ({
      slot: nameKnownSlot(damage.number),
      kind: 'known' as const,
      title: `${damage.number}  ${namePartAndDamage(damage, t)}`,
      ...SINGLE,
      has_earlier: true,
    })),
    ...['dashboard', 'vin_interior', 'damage'].map((slot) => ({
      slot,
      kind: 'extra' as const,
      ...SINGLE,
      takes_several: slot === 'damage',
    })),
  ];
}

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
