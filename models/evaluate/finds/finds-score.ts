import type { DamageType } from '../../../src/domain/damage.ts';
import { type Box, iou } from '../../../src/domain/geometry.ts';
import { isLamp, isPartName, PARTS } from '../../../src/domain/parts.ts';
import type { LabelledDamage, LabelledPhoto, LabelledType } from './labelled-photos.ts';
import { judgeFind } from './touch.ts';

/** A damage reported by an inspection in one photo; `box` in pixels of the photo. */
interface Find {
  readonly type: DamageType;
  readonly part: string;
  /** Open question about the part, if any. */
  readonly doubt?: string | null;
  readonly box: Box;
}

/** A labelled photo and its findings at one limit. */
export interface PhotoFinds {
  readonly photo: LabelledPhoto;
  readonly finds: readonly Find[];
}

export interface FindsScore {
  readonly damagedPhotos: number;
  readonly cleanPhotos: number;
  /** Sure damages, and those of moderate or worse severity. */
  readonly damages: number;
  readonly moderateOrWorseDamages: number;
  /** Recall: fraction of the damages touched by a right finding; null without damages. */
  readonly found: number | null;
  readonly foundModerateOrWorse: number | null;
  /** Fraction of the damages with a finding of IoU 0.5 or more. */
  readonly foundTightly: number | null;
  /** Fraction of the photos with a sure damage that have a right finding. */
  readonly damagedPhotosRight: number | null;
  /** Right findings over right and wrong ones, on photos that are not clean. */
  readonly precision: number | null;
  /** Fraction of clean photos with a finding. */
  readonly cleanAlarms: number | null;
  /** Fraction of right findings with the labelled kind, part and side; part and side only for contract parts. */
  readonly kindRight: number | null;
  readonly partRight: number | null;
  /** As `partRight`, for findings whose part is stated without doubt. */
  readonly undoubtedPartRight: number | null;
  readonly sideRight: number | null;
  readonly right: number;
  readonly wrong: number;
  readonly tooLarge: number;
  readonly unsure: number;
}

/** Kind of repair that a damage needs: surface, body, glass or lamp. */
export type DamageKind = 'surface' | 'body' | 'glass' | 'lamp';

/** Returns the kind of a damage; results report a broken lamp as glass damage on a lamp. */
export function chooseKind(type: LabelledType, part: string): DamageKind {
  if (type === 'lamp_damage' || (type === 'glass_damage' && isLamp(part))) return 'lamp';
  if (type === 'glass_damage') return 'glass';
  return type === 'scratch' || type === 'paint_damage' || type === 'rust' ? 'surface' : 'body';
}

/** Minimum IoU of a fitting box; two labellers' boxes reach it for 70 to 79 % of damages. */
const FITS = 0.5;

/** Computes recall and false alarms of findings on labelled photos. */
export function scoreFinds(photos: readonly PhotoFinds[]): FindsScore {
  const judged = photos.map(({ photo, finds }) => ({
    photo,
    finds: finds.map((find) => ({ find, ...judgeFind(find.box, photo.damages) })),
  }));
  const listSure = ({ damages }: LabelledPhoto) => damages.filter(({ sure }) => sure);
  const damaged = judged.filter(({ photo }) => listSure(photo).length > 0);
  const clean = judged.filter(({ photo }) => photo.clean);
  const damages = damaged.flatMap(({ photo }) => listSure(photo));
  const touched = new Set(judged.flatMap(({ finds }) => finds.flatMap((one) => one.touched)));
  const severe = damages.filter(({ severity }) => severity !== 'minor');
  const said = judged.filter(({ photo }) => !photo.clean).flatMap(({ finds }) => finds);
  const count = (verdict: string) => said.filter((one) => one.verdict === verdict).length;
  const right = said.filter(({ verdict }) => verdict === 'right');
  const named = right.filter(({ touched: near }) => near.some(({ part }) => isPartName(part)));
  const sided = named.filter(
    ({ find, touched: near }) => findSide(find.part) && near.some(({ part }) => findSide(part)),
  );
  const onPart = (find: Find, damage: LabelledDamage) => find.part === damage.part;
  const agree = (list: typeof right, same: (find: Find, damage: LabelledDamage) => boolean) =>
    computeShare(
      list.filter(({ find, touched: near }) => near.some((damage) => same(find, damage))).length,
      list.length,
    );
  return {
    damagedPhotos: damaged.length,
    cleanPhotos: clean.length,
    damages: damages.length,
    moderateOrWorseDamages: severe.length,
    found: computeShare(damages.filter((one) => touched.has(one)).length, damages.length),
    foundModerateOrWorse: computeShare(severe.filter((one) => touched.has(one)).length, severe.length),
    foundTightly: computeShare(
      damaged.flatMap(({ photo, finds }) =>
        listSure(photo).filter(({ box }) => finds.some(({ find }) => iou(find.box, box) >= FITS)),
      ).length,
      damages.length,
    ),
    damagedPhotosRight: computeShare(
      damaged.filter(({ finds }) => finds.some(({ verdict }) => verdict === 'right')).length,
      damaged.length,
    ),
    precision: computeShare(right.length, right.length + count('wrong')),
    cleanAlarms: computeShare(clean.filter(({ finds }) => finds.length > 0).length, clean.length),
    kindRight: agree(
      right,
      (find, damage) => chooseKind(find.type, find.part) === chooseKind(damage.type, damage.part),
    ),
    partRight: agree(named, onPart),
    undoubtedPartRight: agree(
      named.filter(({ find }) => !find.doubt),
      onPart,
    ),
    sideRight: agree(sided, (find, damage) => findSide(find.part) === findSide(damage.part)),
    right: right.length,
    wrong: count('wrong'),
    tooLarge: count('too_large'),
    unsure: count('unsure'),
  };
}

/** Returns the vehicle's side of a part, left or right; undefined for other parts and unknown names. */
function findSide(part: string): 'left' | 'right' | undefined {
  const side = isPartName(part) ? PARTS[part].side : undefined;
  return side === 'left' || side === 'right' ? side : undefined;
}

function computeShare(some: number, all: number): number | null {
  return all > 0 ? some / all : null;
}
