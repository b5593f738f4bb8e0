import type { Box } from '../../../src/domain/geometry.ts';
import type { LabelledPhoto } from './labelled-photos.ts';
import { judgeFind } from './touch.ts';

/** One damage of a vehicle as an inspection states it: the photos (index) that show it, and where. */
export interface VehicleFind {
  readonly evidence: readonly { readonly photo: number; readonly box: Box }[];
}

export interface VehicleScore {
  readonly vehicle: string;
  readonly photos: number;
  /** Distinct damages that a person is sure of, and how many of them a find touches in at least one photo. */
  readonly damages: number;
  readonly found: number;
  /** Finds that touch nothing labelled in any of their photos. */
  readonly wrong: number;
}

/** Holds what is said about one walk-around against its labels; `photos` in the order of the finds' indices. */
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
