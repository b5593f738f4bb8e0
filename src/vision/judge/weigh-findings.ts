import { type Size, scaleBox } from '../../domain/geometry.ts';
import type { Detection } from '../../domain/sight/detection.ts';
import { isImpossible, listCandidates } from './candidates.ts';
import { chooseLabel } from './choose-label.ts';
import {
  type Candidate,
  type ClassifiedCandidate,
  findScoresAt,
  gatherEvidence,
  gatherFirstEvidence,
  type PhotoDetections,
} from './evidence.ts';
import { type Judge, judge } from './judge.ts';

/** Minimum probability by the first judge; less likely candidates are dropped unclassified. */
const MIN_PROBABILITY = 0.08;
/** Maximum number of candidates per photo for the classifier, the likeliest by the first judge. */
const MAX_CLASSIFIED = 20;

/** A finding with its evidence values (named by `FIRST_EVIDENCE` or `EVIDENCE`). */
export interface WeighedFinding extends Detection {
  readonly evidence: readonly number[];
}

/** A possible damage in raster pixels, with its first evidence. */
interface PossibleFinding extends Candidate {
  readonly finding: Detection;
  readonly evidence: readonly number[];
}

/** Lists the possible damages among the findings; `size` is that of the upright original. */
export function listPossibleFindings(
  findings: readonly Detection[],
  detections: PhotoDetections,
  size: Size,
): PossibleFinding[] {
  const { parts, raster } = detections;
  const scale = { width: raster.width / size.width, height: raster.height / size.height };
  const possible = listCandidates(
    findings.map((finding) => ({ ...finding, finding, box: scaleBox(finding.box, scale) })),
    (one) => !isImpossible(one, parts, raster),
  );
  return possible.map((one) => ({ ...one, evidence: gatherFirstEvidence(one, possible, detections) }));
}

/**
 * Filters findings by `first`, likeliest first, with its probability as `confidence`. If a classifier is available, it
 * determines their class and completes their evidence.
 */
export async function weighFindings(
  possible: readonly PossibleFinding[],
  first: Judge,
  detections: PhotoDetections,
  classify: ((candidates: readonly Candidate[]) => Promise<Map<Candidate, ClassifiedCandidate>>) | undefined,
): Promise<WeighedFinding[]> {
  const candidates = possible
    .map((one) => ({ ...one, probability: judge(first, one.evidence) }))
    .filter(({ probability }) => probability >= MIN_PROBABILITY)
    .sort((a, b) => b.probability - a.probability)
    .slice(0, MAX_CLASSIFIED);
  const classified = classify && (await classify(candidates));
  return candidates.map((one) => {
    const finding = { ...one.finding, confidence: one.probability };
    const classification = classified?.get(one);
    if (!classified || !classification) return { ...finding, evidence: one.evidence };
    return {
      ...finding,
      label: chooseLabel(findScoresAt(one.box, detections), classification),
      evidence: gatherEvidence(one, candidates, detections, classified),
    };
  });
}
