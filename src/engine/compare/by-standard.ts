import type { VisualInspection } from '../../contract/inspection.ts';
import { readGradedSizeCm, USUAL_SIZE_ERROR } from '../../domain/judge/graded-size.ts';
import {
  type DamageVerdict,
  judgeByStandard,
  type Standard,
  type StandardVerdicts,
} from '../../domain/judge/standard.ts';
import type { ComparedPlace, Comparison } from './comparison.ts';

/** Judges the certain damages of an inspection by a standard. */
export function judgeInspection({ images, results }: VisualInspection, standard: Standard): StandardVerdicts {
  const damages = (results?.damages ?? []).map((damage) => {
    const { measurements: measured, also = [] } = damage;
    const cm = measured?.diameter ?? measured?.length ?? measured?.width ?? readGradedSizeCm(damage.explain);
    const photo = images.find(({ index }) => index === damage.evidence[0]?.image_index);
    return {
      id: damage.damage_id,
      type: damage.type,
      subtype: damage.subtype,
      also,
      part: damage.location.part,
      size: cm === undefined ? null : { cm, errorCm: measured?.uncertainty_cm ?? cm * USUAL_SIZE_ERROR },
      cmPerPixel: photo?.record?.cm_per_pixel ?? null,
    };
  });
  return { standard, of: judgeByStandard(damages, standard) };
}

/** Returns the verdicts on damage that is certainly new or worse. */
export function listChangedVerdicts({ places, verdicts }: Comparison): readonly DamageVerdict[] {
  return places.flatMap((place) => findVerdict(place, verdicts) ?? []);
}

/**
 * Returns the verdict on a place, or undefined unless it is certainly new or worse: anything else existed before or
 * cannot be dated. Places marked not chargeable have none either.
 */
export function findVerdict(
  { change, certain, after, decided }: ComparedPlace,
  verdicts: StandardVerdicts | undefined,
): DamageVerdict | undefined {
  const counts =
    certain && (change === 'new' || change === 'worse') && decided?.decision !== 'not_chargeable';
  return after && counts ? verdicts?.of.get(after.damage_id) : undefined;
}
