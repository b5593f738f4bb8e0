import type { Result } from '../../contract/result.ts';
import { describeVerdict, describeVerdicts } from '../compare/standard-words.ts';
import { describeDamage, describeFindingPart } from '../words.ts';
import { makeParagraph, makeTable, type Section } from './blocks.ts';

/** Builds the table of verdicts by the standard, one row per certain damage; null if no standard was requested. */
export function writeVerdicts({ inspection, verdicts }: Result): Section | null {
  if (!verdicts) return null;
  const { of, standard } = verdicts;
  const rows = (inspection?.data.results?.damages ?? []).flatMap((damage) => {
    const judged = of.get(damage.damage_id);
    const name = `${describeFindingPart(damage.location)}, ${describeDamage(damage.type, damage.subtype).toLowerCase()}`;
    return judged ? [{ cells: [String(damage.number), name, describeVerdict(judged, damage)] }] : [];
  });
  return {
    id: 'verdicts',
    title: `Fair wear by ${standard.name}`,
    blocks: [
      makeParagraph(`${standard.title}, version ${standard.version}: ${describeVerdicts([...of.values()])}.`),
      ...(rows.length > 0
        ? [
            makeTable(
              [
                { title: 'No.', share: 6 },
                { title: 'Damage', share: 30 },
                { title: 'Verdict', share: 64 },
              ],
              rows,
            ),
          ]
        : []),
    ],
  };
}
