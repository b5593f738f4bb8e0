import { basename } from 'node:path';
import type { Damage, InspectionEnvelope } from '../../src/contract/inspection.ts';
import { DAMAGE_TYPES, type DamageType } from '../../src/domain/damage.ts';
import { type Box, computeShareOfSmaller } from '../../src/domain/geometry.ts';
import { canPartHave } from '../../src/domain/possible-types.ts';

/** A damage that a person marked in a photo. */
export interface Mark {
  readonly photo: string;
  readonly type: string;
  readonly box: Box;
}

/** What a finding is to be by what persons marked: null where nothing is there. */
export type Verdict = { readonly type: DamageType } | null;

/** Boxes are of one place where so much of the smaller lies in the other. */
const SAME_PLACE = 0.3;

/** Returns what each finding is to be: its own type where a mark there has one of its words, else that of the nearest mark. */
export function judgeByMarks({ data }: InspectionEnvelope, marks: readonly Mark[]): Map<string, Verdict> {
  const names = new Map(data.images.map(({ index, url }) => [index, basename(url)]));
  const judge = ({ type, also = [], location, evidence }: Damage): Verdict => {
    const here = evidence
      .flatMap(({ image_index: index, coordinates }) =>
        marks
          .filter(({ photo }) => photo === names.get(index))
          .map((mark) => ({ mark, share: computeShareOfSmaller(mark.box, coordinates) })),
      )
      .filter(({ share }) => share >= SAME_PLACE)
      .sort((a, b) => b.share - a.share);
    if (here.length === 0) return null;
    const named = here.flatMap(({ mark }) => DAMAGE_TYPES.filter((one) => one === mark.type));
    const [best = type] = named.filter((one) => canPartHave(location.part, one));
    return { type: named.some((one) => one === type || also.includes(one)) ? type : best };
  };
  const { damages = [], to_check: toCheck = [] } = data.results ?? {};
  return new Map([...damages, ...toCheck].map((one) => [one.damage_id, judge(one)]));
}
