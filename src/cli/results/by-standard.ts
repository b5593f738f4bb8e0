import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Standard, StandardVerdicts } from '../../domain/judge/standard.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { VehiError } from '../../lib/errors.ts';
import { suggestNames } from '../../lib/fields.ts';
import { describeVerdict, describeVerdicts } from '../../report/compare/standard-words.ts';
import { wrapText } from '../../report/text/terminal-lines.ts';
import { describeDamage, describeFindingPart } from '../../report/words.ts';
import { findStandard, parseStandard, STANDARD_NAMES } from '../../standards/standards.ts';
import type { CliContext } from '../terminal/context.ts';

/** Far exceeds the size of any table. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads --standard: the name of a bundled table, or a file.
 * @throws VehiError usage if neither exists, input for an invalid table, listing every fault
 */
export async function readStandard(given: string, ctx: CliContext): Promise<Standard> {
  const shipped = findStandard(given);
  if (shipped) return shipped;
  const path = resolve(ctx.cwd, given);
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile() || facts.size > MAX_BYTES)
    throw new VehiError(
      'usage',
      'STANDARD_NOT_FOUND',
      `--standard ${given}: ${facts?.isFile() ? `the file is larger than ${MAX_BYTES} bytes` : 'neither a table that ships nor a file'}.`,
      { field: 'standard', hint: suggestNames(given, STANDARD_NAMES, 'Tables:') },
    );
  return parseStandard(decodeText(await readFile(path)), given);
}

/** Returns the number of chargeable damages, and the verdicts on all certain damages as text for a terminal. */
export function describeByStandard(
  { data }: InspectionEnvelope,
  { of, standard }: StandardVerdicts,
  columns: number,
): { readonly chargeable: number; readonly text: string } {
  const judged = [...of.values()];
  const damages = data.results?.damages ?? [];
  const lines = damages.flatMap((damage) => {
    const one = of.get(damage.damage_id);
    const name = `${damage.number}  ${describeFindingPart(damage.location)}, ${describeDamage(damage.type, damage.subtype).toLowerCase()}`;
    return one ? [wrapText(name, columns), wrapText(describeVerdict(one, damage), columns, 3)] : [];
  });
  const head = wrapText(`By ${standard.name}: ${describeVerdicts(judged)}`, columns);
  const chargeable = judged.filter(({ verdict }) => verdict === 'chargeable').length;
  return { chargeable, text: [head, ...lines, ''].join('\n') };
}
