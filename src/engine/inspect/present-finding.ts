import type { Damage, Evidence, Measurements, Photo } from '../../contract/inspection.ts';
import { clampToPixels } from '../../domain/geometry.ts';
import { findSide } from '../../domain/parts.ts';
import { writeRemarks } from '../../domain/remarks.ts';
import type { DamageExtent } from '../../domain/sight/damage-extent.ts';
import { roundTo } from '../../lib/numbers.ts';
import { defined } from '../../lib/objects.ts';
import { presentEstimate } from '../present-repair.ts';
import { describeParts } from './grounds-words.ts';
import type { MeasuredObservation } from './observe.ts';
import { listFurtherTypes, type PricedFinding } from './price-findings.ts';

/** Converts a priced finding to wire format: a damage or a place to check. */
export function presentFinding(finding: PricedFinding, photos: readonly Photo[], detailed: boolean): Damage {
  const { cluster, joined, severity, severityScore, range, uncertainty } = finding;
  const [best, ...others] = cluster;
  const bestEvidence = presentEvidence(best, photos);
  const furtherEvidence = [...others, ...joined].map((one) => ({
    ...presentEvidence(one, photos),
    ...(one.type === best.type ? {} : { type: one.type }),
  }));
  const also = listFurtherTypes(finding);
  return {
    damage_id: finding.id,
    number: finding.number,
    type: best.type,
    ...(best.subtype ? { subtype: best.subtype } : {}),
    ...(also.length > 0 ? { also } : {}),
    ...defined({ detail: writeRemarks(uncertainty, []) }),
    severity,
    severity_score: severityScore,
    location: {
      part: best.part,
      side: uncertainty === 'side' ? 'unknown' : findSide(best.part),
      coordinates: bestEvidence.coordinates,
      ...(uncertainty ? { uncertain: uncertainty } : {}),
    },
    ...(detailed ? presentExtent(best.type, finding.extent) : {}),
    confidence: bestEvidence.confidence,
    image_url: bestEvidence.image_url,
    annotated_url: null,
    estimated_repair: presentEstimate(range),
    evidence: [bestEvidence, ...furtherEvidence],
    explain: [...best.explain, ...finding.floors, ...range.explain],
  };
}

function presentEvidence(one: MeasuredObservation, photos: readonly Photo[]): Evidence {
  const photo = photos.find(({ index }) => index === one.photo);
  if (!photo) throw new Error(`no photo ${one.photo}`);
  return {
    image_index: one.photo,
    image_url: photo.url,
    coordinates: {
      ...clampToPixels(one.box, photo),
      image_width: photo.width,
      image_height: photo.height,
    },
    confidence: roundTo(one.confidence, 2),
  };
}

const NO_SCALE = 'The photo has no reliable scale: two complete parts of known size are needed.';

function presentExtent(
  type: Damage['type'],
  extent: DamageExtent | null,
): { measurements: Measurements } | { measurements_absent: string } {
  if (extent === null) return { measurements_absent: NO_SCALE };
  const { longSideCm, shortSideCm, depthCm, uncertaintyCm, reference } = extent;
  return {
    measurements: {
      ...(type === 'dent' ? { diameter: longSideCm } : { length: longSideCm, width: shortSideCm }),
      ...(depthCm === null ? {} : { depth: depthCm }),
      unit: 'cm',
      method: `scale from the parts in the photo, above all ${describeParts([reference])}`,
      uncertainty_cm: uncertaintyCm,
      ...(depthCm === null ? {} : { depth_is_estimate: true }),
    },
  };
}
