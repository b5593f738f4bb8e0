import type { Angle } from '../../domain/damage.ts';
import type { Box, Size } from '../../domain/geometry.ts';
import { area } from '../../domain/geometry.ts';
import { gradeDamage } from '../../domain/judge/grade.ts';
import type { Detection, Sighting } from '../../domain/sight/detection.ts';
import { type LocatedDamage, locate } from '../../domain/sight/locate.ts';
import { assumedScale, type Scale, scaleAt, sizeOf } from '../../domain/sight/measure.ts';
import { dedupeWithinPhoto, type Observation } from '../../domain/sight/merge.ts';
import { checkVehicle, type SeenPart, type VehicleCheck, vehicleShare } from '../../domain/sight/part-map.ts';
import { type PhotoScene, sceneOf } from '../../domain/sight/photo-scene.ts';
import { viewAngle } from '../../domain/sight/view-angle.ts';

/** An observation with what its measurements are made from. */
export interface MeasuredObservation extends Observation {
  /** Null where nothing of known size is whole in the photo. */
  readonly scale: Scale | null;
}

export interface PhotoFindings {
  readonly observations: readonly MeasuredObservation[];
  readonly notOnVehicle: number;
  /** Further damages on the vehicle that are too uncertain to be shown. */
  readonly belowConfidence: number;
  readonly vehicleShare: number;
  readonly vehicle: VehicleCheck;
  /** The view told by the parts, for photos whose angle nobody stated. */
  readonly angleSeen: Angle | null;
}

/**
 * Understands what the models saw in one photo: places, sizes and grades each detection, drops what is not on the
 * vehicle, and keeps one observation per damage. Boxes in pixels of the upright photo. Pure.
 */
export function observe(
  sighting: Sighting,
  photo: { readonly index: number; readonly size: Size; readonly angle: Angle | null },
  minConfidence: number,
): PhotoFindings {
  const unangled = sceneOf(sighting.parts, photo.size, photo.angle);
  const vehicle = checkVehicle(sighting.parts, vehicleShare(unangled.mass), unangled.seen, sighting.presence);
  const angleSeen = vehicle.seen ? viewAngle(unangled.mass) : null;
  const scene = photo.angle || !angleSeen ? unangled : sceneOf(sighting.parts, photo.size, angleSeen);
  const share = vehicleShare(scene.mass);
  const certain = sighting.detections.filter((one) => one.confidence >= minConfidence);
  const uncertain = [
    ...sighting.detections.filter((one) => one.confidence < minConfidence),
    ...(sighting.uncertain ?? []),
  ];
  const place = (detections: readonly Detection[]) =>
    detections.flatMap((detection) => {
      const placement = locate(detection, scene);
      return 'drop' in placement ? [] : [observationOf(placement.located, detection, photo, scene, share)];
    });
  const found = place(certain);
  const observations = dedupeWithinPhoto(found) as readonly MeasuredObservation[];
  const withUncertain = dedupeWithinPhoto([...observations, ...place(uncertain)]);
  return {
    observations,
    notOnVehicle: certain.length - found.length,
    belowConfidence: withUncertain.filter((one) => !observations.includes(one as MeasuredObservation)).length,
    vehicleShare: share,
    vehicle,
    angleSeen,
  };
}

function observationOf(
  located: LocatedDamage,
  detection: { readonly box: Box; readonly confidence: number },
  photo: { readonly index: number; readonly size: Size },
  scene: PhotoScene,
  share: number,
): MeasuredObservation {
  const scale = scaleAt(located.segment, scene.seen);
  const { longSideCm } = sizeOf(detection.box, scale ?? assumedScale(photo.size, share));
  const part = scene.seen.find((seen) => seen.label === located.segment && !seen.cut);
  const grade = gradeDamage({
    type: located.type,
    subtype: located.subtype,
    part: located.part,
    longSideCm,
    partShare: part ? Math.min(1, area(detection.box) / Math.max(1, area(part.box))) : null,
  });
  return {
    photo: photo.index,
    type: located.type,
    subtype: located.subtype,
    part: located.part,
    box: detection.box,
    confidence: detection.confidence,
    severityScore: grade.score,
    longSideCm,
    place: part ? placeIn(part, detection.box) : null,
    scale,
    partUncertain: located.partUncertain,
    explain: [...located.explain, ...grade.explain],
  };
}

function placeIn(part: SeenPart, box: Box): { x: number; y: number } {
  return {
    x: (box.x + box.width / 2 - part.box.x) / Math.max(1, part.box.width),
    y: (box.y + box.height / 2 - part.box.y) / Math.max(1, part.box.height),
  };
}
