import type { InspectionEnvelope, Photo, VisualInspection } from '../contract/inspection.ts';
import { area, intersection } from '../domain/geometry.ts';
import { boundsOf, type Point, type Quad } from '../domain/quad.ts';
import { listPhotoFindings } from './finding-rows.ts';

/** Returns the plates to blur in pictures of a photo; pixels of the upright photo. */
export function listPlateRegions({ plates = [] }: Pick<Photo, 'plates'>): readonly Quad[] {
  return plates.map(({ corners }) => {
    const corner = (at: number): Point => ({ x: corners[at]?.[0] ?? 0, y: corners[at]?.[1] ?? 0 });
    return [corner(0), corner(1), corner(2), corner(3)];
  });
}

/** Removes a number plate read in photos, for outputs that blur it in pictures; a stated plate is kept. */
export function hideReadPlate(inspection: InspectionEnvelope): InspectionEnvelope {
  const { vehicle } = inspection.data;
  if (!vehicle?.read?.includes('plate')) return inspection;
  const { plate: _, read, ...others } = vehicle;
  const left = { ...others, read: read.filter((fact) => fact !== 'plate') };
  return { ...inspection, data: { ...inspection.data, vehicle: left } };
}

/** Minimum share of a finding's box under a blurred plate for naming the finding; less is only the plate's rim. */
const MIN_COVERED_SHARE = 0.05;

/** Lists the numbers of the findings that a blurred plate covers in a photo, at least in part. */
export function listCoveredFindings(photo: Photo, inspection: VisualInspection): readonly number[] {
  const regions = listPlateRegions(photo).map(boundsOf);
  return listPhotoFindings(photo, inspection)
    .filter(({ box }) => regions.some((region) => intersection(region, box) > MIN_COVERED_SHARE * area(box)))
    .map(({ damage }) => damage.number);
}

/**
 * Formats the note on blurred plates and the findings below them; undefined if the photos were not searched for plates.
 * Of two inspections, the earlier one is first, and the numbers of its findings start with B as in a comparison.
 */
export function describeRedaction(inspections: readonly VisualInspection[]): string | undefined {
  if (!inspections.some(({ images }) => images.some(({ plates }) => plates !== undefined))) return undefined;
  const covered = inspections.flatMap((one, index) => {
    const visit = index < inspections.length - 1 ? 'B' : '';
    const numbers = new Set(one.images.flatMap((photo) => listCoveredFindings(photo, one)));
    return [...numbers].toSorted((a, b) => a - b).map((number) => `${visit}${number}`);
  });
  return [
    'Number plates that a model found are made unrecognizable in the pictures of this report. The model misses some plates, and faces were not looked for.',
    ...covered.map((number) => `A blurred plate covers part of number ${number}.`),
  ].join(' ');
}
