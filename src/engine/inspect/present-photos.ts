import type { Photo, PhotoIssue, PhotoPlate, PhotoRecord } from '../../contract/inspection.ts';
import type { VehicleGroup } from '../../contract/inspection-grounds.ts';
import { type Box, clampToPixels, type Size } from '../../domain/geometry.ts';
import { type Angle, toPhotoType } from '../../domain/photo.ts';
import { type Duplicate, NEAR_DUPLICATE_BITS } from '../../domain/sight/duplicates.ts';
import { nameColor } from '../../domain/sight/paint.ts';
import type { Plate } from '../../domain/sight/plate.ts';
import type { FactRead } from '../../domain/vehicle/read-facts.ts';
import { roundTo } from '../../lib/numbers.ts';
import type { AnalyzedPhoto } from './analyze-photos.ts';
import type { PhotoFindings } from './observe.ts';

/** Converts a photo to wire format, with its warnings. */
export function presentPhoto(
  one: AnalyzedPhoto,
  index: number,
  duplicate: Duplicate | undefined,
  all: readonly AnalyzedPhoto[],
): Photo {
  const { input, facts, findings } = one;
  const angle: Angle | null = input.angle ?? findings?.angleSeen ?? null;
  const issues: PhotoIssue[] = [...one.issues];
  if (duplicate) issues.push(makeDuplicateIssue(duplicate, all[duplicate.of]?.input.url ?? ''));
  if (findings && !findings.vehicle.passed) {
    const { value, limit } = findings.vehicle;
    const [code, message] = findings.isRotated
      ? ['turned', 'looks turned on its side or upside down; turn it upright and inspect it again']
      : ['no_vehicle', 'no vehicle part is recognized in this photo'];
    issues.push({ code, value: roundTo(value, 3), limit, message });
  }
  return {
    index,
    url: input.url,
    width: facts.size.width,
    height: facts.size.height,
    format: facts.format,
    bytes: facts.bytes,
    sha256: facts.sha256,
    angle,
    angle_source: input.angle ? (input.angleSource ?? 'request') : angle ? 'parts_seen' : 'unknown',
    type: input.type ?? toPhotoType(angle),
    analyzed: findings !== null,
    vehicle_share: findings ? roundTo(findings.vehicleShare, 2) : null,
    annotated_url: null,
    issues,
    ...(one.plates ? { plates: one.plates.map((plate) => presentPlate(plate, facts.size)) } : {}),
    ...(one.read?.length ? { read: one.read.map(presentRead) } : {}),
    ...(findings?.vehicle.passed ? { record: presentRecord(findings, one) } : {}),
    ...(findings && presentDropped(findings)),
  };
}

/** Enough decimals to rank two views and compute a distance as before rounding. */
const VIEW_SCALE_DECIMALS = 6;

function presentPlate({ corners, confidence }: Plate, { width, height }: Size): PhotoPlate {
  const toPixel = (value: number, limit: number) => Math.min(limit, Math.max(0, Math.round(value)));
  return {
    corners: corners.map(({ x, y }) => [toPixel(x, width), toPixel(y, height)]),
    confidence: roundTo(confidence, 2),
  };
}

const presentRead = ({ box, confidence, ...read }: FactRead) => ({
  ...read,
  box: box.map(Math.round),
  confidence: roundTo(confidence, 2),
});

/** Counts the detections of a photo that are not listed; empty if all are. */
function presentDropped({ notOnVehicle, implausible, belowConfidence }: PhotoFindings) {
  if (notOnVehicle + implausible + belowConfidence === 0) return {};
  const dropped = { not_on_vehicle: notOnVehicle, implausible, below_confidence: belowConfidence };
  return { dropped_detections: dropped };
}

function presentRecord(
  { record: { parts, cmPerPixel }, shown }: PhotoFindings,
  { facts: { size }, appearance }: AnalyzedPhoto,
): PhotoRecord {
  const box = (one: Box) => {
    const { x, y, width, height } = clampToPixels(one, size);
    return [x, y, width, height];
  };
  return {
    parts: parts.map(({ label, box: at, isTruncated }) => ({ part: label, box: box(at), cut: isTruncated })),
    cm_per_pixel: cmPerPixel === null ? null : roundTo(cmPerPixel, 3),
    views: [...shown.parts],
    ...(shown.parts.length > 0 && { view_cm_per_pixel: roundTo(shown.cmPerPixel, VIEW_SCALE_DECIMALS) }),
    ...(appearance?.paint && { color: nameColor([appearance.paint]) }),
  };
}

function makeDuplicateIssue(duplicate: Duplicate, of: string): PhotoIssue {
  const exact = duplicate.kind === 'duplicate';
  return {
    code: duplicate.kind,
    value: duplicate.bits,
    limit: exact ? 0 : NEAR_DUPLICATE_BITS,
    message: exact ? `the same file as ${of}; its findings count once` : `looks like ${of}`,
  };
}

/** Presents the groups of photos by vehicle, `photos` by index; none if there is one vehicle. */
export function presentGroups(
  groups: readonly (readonly number[])[],
  photos: readonly Pick<Photo, 'url'>[],
  colorOf: (images: readonly number[]) => string,
): VehicleGroup[] {
  if (groups.length < 2) return [];
  return groups.map((images, at) => ({
    group: at + 1,
    images: [...images],
    image_urls: images.map((index) => photos[index]?.url ?? ''),
    color: colorOf(images),
  }));
}
