import { type Size, scaleBox } from '../../domain/geometry.ts';
import type { Detection } from '../../domain/sight/detection.ts';
import { isOutOfPlace, listCandidates } from './candidates.ts';
import {
  type Candidate,
  type ClassifiedCandidate,
  findScoresAt,
  gatherEvidence,
  gatherFirstEvidence,
  type Seen,
} from './evidence.ts';
import { type Judge, judge } from './judge.ts';
import { settleLabel } from './settle-label.ts';

/** Probability by the first judge below which a candidate is dropped, and the classifier not asked. */
const LEAST_TO_CLASSIFY = 0.08;
/** So many of a photo's candidates, the likeliest by the first judge, are shown to the classifier. */
const MOST_TO_CLASSIFY = 20;

/** A finding with the numbers it is judged by (`FIRST_EVIDENCE` and `EVIDENCE` name them). */
export interface WeighedFinding extends Detection {
  readonly evidence: readonly number[];
}

/** A finding that may be a damage, in the frame of the raster, with its first evidence. */
interface PossibleFinding extends Candidate {
  readonly finding: Detection;
  readonly evidence: readonly number[];
}

/** Returns the findings that may be damages; `size` is that of the upright original. */
export function listPossibleFindings(
  findings: readonly Detection[],
  seen: Seen,
  size: Size,
): PossibleFinding[] {
  const { parts, raster } = seen;
  const scale = { width: raster.width / size.width, height: raster.height / size.height };
  const possible = listCandidates(
    findings.map((finding) => ({ ...finding, finding, box: scaleBox(finding.box, scale) })),
    (one) => !isOutOfPlace(one, parts, raster),
  );
  return possible.map((one) => ({ ...one, evidence: gatherFirstEvidence(one, possible, seen) }));
}

/**
 * Returns the findings that `first` lets through, likeliest first, with its probability as `confidence`. Where the
 * classifier can be asked, their class is settled and their evidence complete by what it says.
 */
export async function weighFindings(
  possible: readonly PossibleFinding[],
  first: Judge,
  seen: Seen,
  classify: ((candidates: readonly Candidate[]) => Promise<Map<Candidate, ClassifiedCandidate>>) | undefined,
): Promise<WeighedFinding[]> {
  const candidates = possible
    .map((one) => ({ ...one, probability: judge(first, one.evidence) }))
    .filter(({ probability }) => probability >= LEAST_TO_CLASSIFY)
    .sort((a, b) => b.probability - a.probability)
    .slice(0, MOST_TO_CLASSIFY);
  const classified = classify && (await classify(candidates));
  return candidates.map((one) => {
    const finding = { ...one.finding, confidence: one.probability };
    const said = classified?.get(one);
    if (!classified || !said) return { ...finding, evidence: one.evidence };
    return {
      ...finding,
      label: settleLabel(findScoresAt(one.box, seen), said),
      evidence: gatherEvidence(one, candidates, seen, classified),
    };
  });
}
