import { readFailOn, type Settings } from '../../config/settings.ts';
import type { InspectedResult } from '../../contract/result.ts';
import type { Standard } from '../../domain/judge/standard.ts';
import { decideRows } from '../../engine/compare/decide-rows.ts';
import { VehiError } from '../../lib/errors.ts';
import { describeCounts, formatVisits } from '../../report/compare/comparison-words.ts';
import type { OutputKind } from '../outputs/kinds.ts';
import type { PageSettings } from '../outputs/page-options.ts';
import type { Redaction } from '../outputs/redaction.ts';
import type { ComparedDocuments } from '../outputs/view.ts';
import { renderComparisonTable } from '../tables/comparison-table.ts';
import { countColumns } from '../terminal/columns.ts';
import type { CliContext } from '../terminal/context.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { write, writeStatus } from '../terminal/output.ts';
import {
  addVerdicts,
  compareVisits,
  decideComparison,
  makeDocuments,
  parseRowDecisions,
  readInspection,
  warnUncounted,
} from './compare.run.ts';

/** An earlier inspection as the baseline of a comparison. */
export interface Baseline {
  readonly vehicleId: string;
  /**
   * Compares, prints the changes below the result, and sets the exit code if a change must fail.
   * @returns the documents of the comparison
   */
  compare(
    after: InspectedResult,
    run: {
      readonly settings: Settings;
      readonly print: OutputKind;
      readonly standard: Standard | null;
      readonly redaction: Redaction;
      readonly page: PageSettings;
      readonly now: () => Date;
    },
    ctx: CliContext,
  ): Promise<ComparedDocuments>;
}

/**
 * Opens an earlier inspection.
 * @param vehicleId stated vehicle of the photos; undefined if not stated
 * @param decide reviewer decisions on rows of the comparison
 * @throws VehiError input if the file is not an inspection or shows another vehicle
 */
export async function openBaseline(
  name: string,
  vehicleId: string | undefined,
  decide: readonly string[] | undefined,
  ctx: CliContext,
): Promise<Baseline> {
  const decisions = parseRowDecisions(decide);
  const before = await readInspection(name, ctx);
  const baselineId = before.inspection.data.vehicle_id;
  if (vehicleId !== undefined && vehicleId !== baselineId)
    throw new VehiError(
      'input',
      'DIFFERENT_VEHICLES',
      `${name} is of vehicle ${baselineId}, these photos of ${vehicleId}`,
      { hint: `If they are one vehicle: --vehicle-id ${baselineId}` },
    );
  return {
    vehicleId: baselineId,
    async compare(after, { settings, print, standard, redaction, page, now }, context) {
      const compared = decideRows(await compareVisits(before, after, settings), decisions);
      const comparison = standard ? addVerdicts(compared, standard) : compared;
      if (print === 'table') {
        const table = renderComparisonTable(comparison, context.colour.stdout, countColumns(context));
        await write(context.stdout, `\n${table}`);
      } else
        await writeStatus(
          context,
          `vehi: since ${formatVisits(comparison).before}: ${describeCounts(comparison)}`,
        );
      const conditions = readFailOn(settings);
      if (conditions.failOnChange) await warnUncounted(comparison, context);
      const { code, message } = decideComparison(comparison, conditions);
      if (code !== EXIT.done) context.setExitCode(code);
      if (message) await writeStatus(context, `vehi: ${message}`);
      return {
        before,
        comparison,
        ...makeDocuments(comparison, { before, after, redaction, page, generatedAt: now() }),
      };
    },
  };
}
