import type { Damage } from '../../contract/inspection.ts';
import type { DamageVerdict, Verdict } from '../../domain/judge/standard.ts';
import { findVerdict } from '../../engine/compare/by-standard.ts';
import type { ComparedPlace, Comparison } from '../../engine/compare/comparison.ts';
import { formatCount } from '../../lib/format-count.ts';
import { formatNumber, readFileName } from '../figures.ts';
import { describePartInText } from '../words.ts';

const VERDICT_WORDS = {
  chargeable: 'Chargeable',
  fair_wear: 'Fair wear',
  cannot_tell: 'Cannot tell',
} as const satisfies Record<Verdict, string>;

/** Counts verdicts by kind: `1 chargeable · 0 fair wear · 2 cannot tell`. */
export function describeVerdicts(verdicts: readonly DamageVerdict[]): string {
  return (Object.keys(VERDICT_WORDS) as Verdict[])
    .map((verdict) => {
      const count = verdicts.filter((one) => one.verdict === verdict).length;
      return `${count} ${VERDICT_WORDS[verdict].toLowerCase()}`;
    })
    .join(' · ');
}

/** Formats the verdict on what is new or worse at a location; undefined if no standard was requested. */
export function describePlaceVerdict(place: ComparedPlace, { verdicts }: Comparison): string | undefined {
  const judged = findVerdict(place, verdicts);
  return judged && place.after ? describeVerdict(judged, place.after) : undefined;
}

/** Formats a verdict with its reason: `Chargeable: dent: 450–850 mm, over the limit of 15 mm`. */
export function describeVerdict(judged: DamageVerdict, damage: Damage): string {
  return `${VERDICT_WORDS[judged.verdict]}: ${explainVerdict(judged, damage)}`;
}

/** Photo instruction for a size that the current photos leave undetermined. */
const CLOSE_UP = 'photograph it square on from 0.3 m with a ruler next to it';

/** Explains the verdict on a damage, and names the photo to take if the current photos are inconclusive. */
function explainVerdict(judged: DamageVerdict, damage: Damage): string {
  const { reason, row, sizeMm, limitPixels } = judged;
  const name = row?.what ?? '';
  const limit = `${formatNumber(row?.largest_mm ?? 0)} mm`;
  const size = sizeMm ? formatMmRange(sizeMm) : '';
  const maxCount = row?.most_per_panel;
  switch (reason) {
    case 'never_fair':
      return `${name}: no size is fair wear`;
    case 'not_on_part':
      return `${name}: none is fair wear on the ${describePartInText(damage.location.part)}`;
    case 'paint_broken':
      return `${name}: the paint is broken, which no size allows`;
    case 'too_large':
      return `${name}: ${size}, over the limit of ${limit}`;
    case 'too_many':
      return `${name}: more than ${row?.most_along_edge ?? maxCount} on this panel`;
    case 'within':
      return `${name}: ${size}, within ${limit}${maxCount ? ` and ${maxCount} a panel` : ''}${row?.unless ? `, unless ${row.unless}` : ''}`;
    case 'size_unknown':
      return `${name}: no photo shows its size, limit ${limit}; ${CLOSE_UP}`;
    case 'interval_over_limit':
      return `${name}: ${size}, limit ${limit}; ${CLOSE_UP}`;
    case 'too_few_pixels': {
      const pixels = Math.max(1, Math.round(limitPixels ?? 0));
      return `${name}: the limit of ${limit} is ${formatCount(pixels, 'pixel')} in ${readFileName(damage.image_url)}; ${CLOSE_UP}`;
    }
    case 'count_open':
      return `${name}: ${maxCount} are allowed on this panel, and the size of others is open; ${CLOSE_UP}`;
    case 'edge_open':
      return `${name}: ${maxCount} are allowed on this panel, ${row?.most_along_edge} along its edge; photograph the edge`;
    case 'no_row':
      return `the standard says nothing of this damage`;
  }
}

function formatMmRange({ least, most }: NonNullable<DamageVerdict['sizeMm']>): string {
  const [low, high] = [roundMm(least), roundMm(most)];
  return low === high ? `${low} mm` : `${low}–${high} mm`;
}

function roundMm(mm: number): string {
  return formatNumber(mm < 10 ? Number(mm.toFixed(1)) : mm < 100 ? Math.round(mm) : 10 * Math.round(mm / 10));
}
