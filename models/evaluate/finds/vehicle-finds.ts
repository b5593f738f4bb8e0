import type { Box } from '../../../src/domain/geometry.ts';
import type { LabelledPhoto } from './labelled-photos.ts';
import { judgeFind } from './touch.ts';

/** A vehicle's damage reported by an inspection: the indices of the photos that show it, and its boxes. */
export interface VehicleFind {
  readonly evidence: readonly { readonly photo: number; readonly box: Box }[];
}

export interface VehicleScore {
  readonly vehicle: string;
  readonly photos: number;
  /** Distinct sure damages, and the number of them touched by a finding in at least one photo. */
  readonly damages: number;
  readonly found: number;
  /** Findings that touch no label in any of their photos. */
  readonly wrong: number;
}

/** Compares the findings of a walk-around with its labels; `photos` are ordered by the findings' indices. */
export function scoreVehicle(
  vehicle: string,
  photos: readonly LabelledPhoto[],
  finds: readonly VehicleFind[],
): VehicleScore {
  const listIds = (damages: LabelledPhoto['damages']) =>
    damages.flatMap(({ sure, vehicleDamage }) =>
      sure && vehicleDamage !== undefined ? [vehicleDamage] : [],
    );
  const judged = finds.map(({ evidence }) =>
    evidence.map(({ photo, box }) => judgeFind(box, photos[photo]?.damages ?? [])),
  );
  const labelled = new Set(photos.flatMap(({ damages }) => listIds(damages)));
  const found = new Set(judged.flat().flatMap(({ touched }) => listIds(touched)));
  return {
    vehicle,
    photos: photos.length,
    damages: labelled.size,
    found: found.size,
    wrong: judged.filter((views) => views.every(({ verdict }) => verdict === 'wrong')).length,
  };
}
