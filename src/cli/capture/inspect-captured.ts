import { join, relative } from 'node:path';
import type { Result } from '../../contract/result.ts';
import type { LanguageCode } from '../../domain/language.ts';
import { VehiError } from '../../lib/errors.ts';
import { titleVehicle } from '../../report/content/vehicles.ts';
import { listFigures } from '../../report/headline.ts';
import { writeIn } from '../../report/languages.ts';
import { splitVehicles } from '../../report/split-vehicles.ts';
import type { Translator } from '../../report/translator.ts';
import type { FlagsOf } from '../commands.ts';
import { runInspect } from '../inspect/inspect.run.ts';
import { runCompare } from '../results/compare.run.ts';
import { runReport } from '../results/report.run.ts';
import { readResult } from '../results/result-source.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFaults } from '../terminal/errors.ts';

const nameResult = (path: string, { cwd }: CliContext) => join(relative(cwd, path) || '.', 'inspection.json');

/** Lists what the inspection writes: the outputs of the flags, and the result stored with the photos. */
export const listOutputs = (path: string, { output = [] }: FlagsOf<'capture'>, ctx: CliContext) => [
  ...output,
  `json=${nameResult(path, ctx)}`,
];

/**
 * Inspects the folder as `vehi inspect` does, renders the report, and compares the result with the handover.
 * @returns lines for the phone: the result in brief, or why there is none
 */
export async function inspectCaptured(
  captured: {
    readonly path: string;
    readonly vehicleId: string;
    readonly reportFile: string;
    readonly flags: FlagsOf<'capture'>;
    readonly language: LanguageCode;
  },
  ctx: CliContext,
): Promise<{ readonly stage: 'finished' | 'failed'; readonly lines: readonly string[] }> {
  const { path, vehicleId, reportFile, language } = captured;
  const { baseline, host: _host, port: _port, language: _language, ...flags } = captured.flags;
  const result = nameResult(path, ctx);
  const output = listOutputs(path, captured.flags, ctx);
  const report = { output: [`html=${reportFile}`], failOn: 'none', quiet: true, language };
  try {
    await runInspect([relative(ctx.cwd, path) || '.'], { ...flags, vehicleId, output }, ctx);
    await runReport(result, report, ctx);
    if (baseline !== undefined && !flags.json)
      await runCompare(baseline, result, { failOn: 'none', anyVehicle: true, quiet: true }, ctx);
    return { stage: 'finished', lines: summarize(await readResult(result, ctx), writeIn(language)) };
  } catch (error) {
    if (!(error instanceof VehiError)) throw error;
    await writeFaults(error, ctx);
    return { stage: 'failed', lines: [error.message] };
  }
}

function summarize(source: Result, t: Translator): readonly string[] {
  const { results, failure } = source.inspection?.data ?? {};
  if (!results) return [t.stored(failure?.message ?? 'None of the photos can be used.')];
  const vehicles = splitVehicles(source);
  return (vehicles.length > 0 ? vehicles : [source]).flatMap((one) => [
    ...('vehicle' in one ? [titleVehicle(one, vehicles.length, t)] : []),
    ...listFigures(one, undefined, t).map(
      (of) => `${of.label}: ${[of.value, of.note].filter(Boolean).join(', ')}`,
    ),
  ]);
}
