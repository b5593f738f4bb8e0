import { area, type Box, type Size } from '../../domain/geometry.ts';
import { gradeDamage } from '../../domain/grading/grade.ts';
import type { Angle } from '../../domain/photo.ts';
import type { Limits } from '../../domain/sensitivity.ts';
import { checkVehicle, type VehicleCheck } from '../../domain/sight/check-vehicle.ts';
import type { Detection } from '../../domain/sight/detection.ts';
import { type DropReason, type LocatedDamage, locate } from '../../domain/sight/locate.ts';
import {
  assumeScale,
  clipToPart,
  computeScaleAt,
  computeSize,
  estimateScale,
  isCredible,
  type Scale,
} from '../../domain/sight/measure.ts';
import { refineBoxes, suppressDuplicates } from '../../domain/sight/merge-in-photo.ts';
import type { Observation } from '../../domain/sight/observation.ts';
import { findFlaw, listShownParts } from '../../domain/sight/part-coverage.ts';
import { computeVehicleShare, type VisiblePart } from '../../domain/sight/part-map.ts';
import { createScene, type PhotoScene } from '../../domain/sight/photo-scene.ts';
import type { Sighting } from '../../domain/sight/sighting.ts';
import { chooseViewAngle } from '../../domain/sight/view-angle.ts';

/** An observation with the data behind its measurements. */
export interface MeasuredObservation extends Observation {
  /** Null if the photo has no credible scale, which takes at least two complete parts of known size. */
  readonly scale: Scale | null;
  /** The box clipped to the visible vehicle part; pixels of the upright photo. */
  readonly extent: Box;
}

export interface PhotoFindings {
  /** Certain findings and those to check, one per damage. */
  readonly observations: readonly MeasuredObservation[];
  /** Number of detections that would be listed but lie off the vehicle, and of those with an impossible size or part. */
  readonly notOnVehicle: number;
  readonly implausible: number;
  /** Number of further damages on the vehicle below the listing threshold. */
  readonly belowConfidence: number;
  /** Share of the photo covered by the vehicle, 0 to 1; 0 if no vehicle is recognized, whatever the part map shows. */
  readonly vehicleShare: number;
  readonly vehicle: VehicleCheck;
  /** True if the photo seems to lie on its side or upside down; then it has no observations. */
  readonly isRotated: boolean;
  /** View recognized from the parts, used if no angle was stated. */
  readonly angleSeen: Angle | null;
  readonly shown: ReturnType<typeof listShownParts>;
  /** Data for later comparisons. */
  readonly record: { readonly parts: readonly VisiblePart[]; readonly cmPerPixel: number | null };
}

/** Findings of a photo without a vehicle, whatever its part map shows. */
const NOTHING = {
  observations: [],
  implausible: 0,
  belowConfidence: 0,
  vehicleShare: 0,
  shown: { parts: [], cmPerPixel: 0 },
  record: { parts: [], cmPerPixel: null },
} as const satisfies Partial<PhotoFindings>;

/** Thresholds for listing and counting detections. */
interface Listing {
  readonly limits: Limits;
  readonly minConfidence: number | null;
  /** Limits of the highest sensitivity; detections above them that are not listed are counted. */
  readonly widest: Limits;
}

interface ObservedPhoto {
  readonly index: number;
  readonly size: Size;
  /** The stated angle. */
  readonly angle: Angle | null;
  readonly issues: Parameters<typeof findFlaw>[0];
}

/**
 * Interprets the model output of one photo: locates, sizes and grades each detection, drops those that cannot be on the
 * vehicle, and keeps one observation per damage. A photo without a vehicle has none. Boxes in pixels of the upright
 * photo. Pure.
 */
export function observe(
  sighting: Sighting,
  photo: ObservedPhoto,
  { limits, minConfidence, widest }: Listing,
): PhotoFindings {
  const { measured } = sighting;
  const checked = checkUpright(sighting);
  const angleSeen = checked.vehicle.passed ? chooseViewAngle(measured.mass) : null;
  const from = minConfidence ?? limits.toCheck;
  const countedFrom = Math.min(from, widest.toCheck);
  const considered = sighting.detections.filter(({ confidence }) => confidence >= countedFrom);
  const listed = considered.filter(({ confidence }) => confidence >= from);
  if (!checked.vehicle.passed) return { ...NOTHING, ...checked, notOnVehicle: listed.length, angleSeen };
  const scene = createScene(sighting.parts, photo.size, photo.angle ?? angleSeen, measured);
  const { seen, drops } = placeDetections(considered, limits.certain, photo.index, scene);
  const observations = refineBoxes(seen.filter(({ confidence }) => confidence >= from));
  const withUnlisted = suppressDuplicates([...observations, ...seen.filter((one) => one.confidence < from)]);
  const countDropped = (why: DropReason) => listed.filter((one) => drops.get(one) === why).length;
  return {
    ...checked,
    observations,
    notOnVehicle: countDropped('not_on_vehicle'),
    implausible: countDropped('implausible'),
    belowConfidence: withUnlisted.filter((one) => !observations.includes(one)).length,
    vehicleShare: computeVehicleShare(scene.mass),
    angleSeen,
    shown: listShownParts(scene, findFlaw(photo.issues)),
    record: {
      parts: scene.visibleParts,
      cmPerPixel: estimateScale(scene.visibleParts)?.cmPerPixel ?? null,
    },
  };
}

/** Locates, sizes and grades detections; those that cannot be on the vehicle are in `drops`, with the reason. */
function placeDetections(all: readonly Detection[], certainFrom: number, photo: number, scene: PhotoScene) {
  const drops = new Map<Detection, DropReason>();
  const seen = all.flatMap((detection) => {
    const placement = locate(detection, scene);
    const isCertain = detection.confidence >= certainFrom;
    if ('located' in placement)
      return createObservation(placement.located, detection, isCertain, photo, scene);
    drops.set(detection, placement.drop);
    return [];
  });
  return { seen, drops };
}

/** Checks that a photo shows a vehicle and is upright; a rotated one counts as a photo without a vehicle. */
function checkUpright({
  measured,
  presence,
  rotation,
}: Sighting): Pick<PhotoFindings, 'vehicle' | 'isRotated'> {
  const vehicle = checkVehicle(measured, presence);
  if (!vehicle.passed || rotation === undefined || rotation.gain < rotation.limit)
    return { vehicle, isRotated: false };
  return { vehicle: { passed: false, value: rotation.gain, limit: rotation.limit }, isRotated: true };
}

/** Adds size (centimeters) and grade to a located detection; `photo` is the index of its photo. */
export function createObservation(
  located: LocatedDamage,
  detection: Detection,
  isCertain: boolean,
  photo: number,
  scene: PhotoScene,
): MeasuredObservation {
  const visible = scene.visibleParts.find((seen) => seen.label === located.segment);
  const found = estimateScale(scene.visibleParts);
  const scale =
    found && isCredible(found, visible) ? computeScaleAt(found, located.segment, visible, scene.size) : null;
  const part = visible?.isTruncated ? undefined : visible;
  const extent = clipToPart(detection.box, visible);
  const longSideCm = scale ? computeSize(extent, scale).longSideCm : null;
  const assumed = assumeScale(scene.size, computeVehicleShare(scene.mass));
  const grade = gradeDamage({
    ...located,
    longSideCm,
    assumedSizeCm: computeSize(extent, assumed).longSideCm,
    partShare: part ? Math.min(1, area(detection.box) / Math.max(1, area(part.box))) : null,
  });
  return {
    ...detection,
    ...located,
    photo,
    isCertain,
    severityScore: grade.score,
    longSideCm,
    extent,
    position: part ? placeIn(part, detection.box) : null,
    scale,
    explain: [...located.explain, ...grade.explain],
  };
}

/** Returns the center of a box as fractions of a part's width and height. */
function placeIn(part: VisiblePart, box: Box): { x: number; y: number } {
  return {
    x: (box.x + box.width / 2 - part.box.x) / Math.max(1, part.box.width),
    y: (box.y + box.height / 2 - part.box.y) / Math.max(1, part.box.height),
  };
}
