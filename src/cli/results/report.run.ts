import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Result } from '../../contract/result.ts';
import { toKilometers } from '../../domain/vehicle/claim-file.ts';
import { EQUIPMENT_FACTS } from '../../domain/vehicle/vehicle.ts';
import { VehiError } from '../../lib/errors.ts';
import { defined } from '../../lib/objects.ts';
import { readClaimFile } from '../../report/facts.ts';
import type { FlagsOf } from '../commands.ts';
import { applyClaimFlags, type ClaimFlags, readClaimFlags } from '../known-vehicle.ts';
import { chooseOutputs, type Output } from '../outputs/parse-output.ts';
import { nameOutputs, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { makeReportPictures } from '../outputs/report-pictures.ts';
import { openRun } from '../outputs/run.ts';
import { nameNextCommands } from '../outputs/view.ts';
import { writeResult } from '../outputs/write-outputs.ts';
import type { CliContext } from '../terminal/context.ts';
import { nameSource } from '../terminal/read-json.ts';
import { readResult, requirePhotoFolders } from './result-source.ts';

const PRICE_FACTS = [
  'class',
  'make',
  'year',
  'paint',
  'market_value',
  'mileage_km',
  ...EQUIPMENT_FACTS,
] as const;

/**
 * Ensures that the flags state no vehicle other than the one the result was priced for.
 * @param input the result with the facts of the flags
 * @throws VehiError usage
 */
function refuseOtherPrices({ inspection, assessment }: Result, flags: ClaimFlags, input: Result): void {
  const { vehicle: stated } = readClaimFlags(flags);
  const odometer = stated.odometer && assessment ? readClaimFile(input).vehicle?.odometer : undefined;
  const vehicle = { ...defined({ mileage_km: odometer && toKilometers(odometer) }), ...stated };
  const priced: Readonly<Record<string, unknown>> = assessment
    ? { ...assessment.data.vehicle, class: assessment.data.vehicle.class_used }
    : { ...inspection?.data.vehicle };
  const others = PRICE_FACTS.filter((fact) => isOther(vehicle[fact], priced[fact]));
  if (others.length === 0) return;
  const setting = others.map((fact) => `${fact}=${vehicle[fact]}`).join(',');
  const message = `--set ${setting}: the prices in the report are for another vehicle, and a report does not change prices.`;
  const hint = `Price it for this vehicle: vehi assess RESULT.json --set "${setting}" -o estimate.json, then vehi report RESULT.json --assessment estimate.json`;
  throw new VehiError('usage', 'PRICES_STAND', message, { hint });
}

/** Compares facts as the price tables do, a make in any case; one that is not stated is no other. */
const isOther = (stated: unknown, priced: unknown) =>
  stated !== undefined && `${stated}`.toLowerCase() !== `${priced}`.toLowerCase();

/** Runs `vehi report`: reads a result, writes its outputs, by default a PDF. */
export async function runReport(sourceName: string, flags: FlagsOf<'report'>, ctx: CliContext) {
  const { outputs } = chooseOutputs(flags, 'report', undefined, ctx);
  await requirePhotoFolders({ '--photos': flags.photos }, ctx);
  const run = await openRun(flags, ctx, 'report');
  const { settings, redaction } = run;
  const source = await readResult(sourceName, ctx);
  const assessment =
    flags.assessment === undefined ? source.assessment : await readAssessment(flags.assessment, source, ctx);
  const priced = { ...source, assessment };
  const input = await applyClaimFlags(priced, flags, settings.regions.value);
  refuseOtherPrices(priced, flags, input);
  const toWrite = outputs.length > 0 ? outputs : [nameReport(input)];
  await refuseOverwrites(nameOutputs(toWrite), run, { args: [sourceName] });
  const view = {
    ...run,
    isJsonReport: true,
    ...(sourceName === '-' ? {} : { next: nameNextCommands(sourceName) }),
    pictures: makeReportPictures(input, flags.photos, redaction, ctx),
    photosFolder: flags.photos,
  };
  await writeResult(input, toWrite, () => view, { ctx, quiet: flags.quiet, redaction });
}

/** Names the PDF that is written by default after the result. */
function nameReport({ inspection, assessment }: Result): Output {
  const id = assessment?.data.assessment_id ?? inspection?.data.inspection_id ?? 'report';
  return { kind: 'pdf', path: `${id.replace(/[^A-Za-z0-9_-]/g, '_')}.pdf` };
}

async function readAssessment(name: string, source: Result, ctx: CliContext): Promise<AssessmentEnvelope> {
  const { assessment } = await readResult(name, ctx);
  if (!assessment)
    throw new VehiError('input', 'NOT_AN_ASSESSMENT', `${nameSource(name)} is not an assessment.`, {
      hint: 'Give the JSON that vehi assess --json printed.',
    });
  const vehicle = source.inspection?.data.vehicle_id;
  if (vehicle !== undefined && vehicle !== assessment.data.vehicle_id) {
    const message = `--assessment ${nameSource(name)} is of vehicle ${assessment.data.vehicle_id}, the inspection of ${vehicle}.`;
    const hint = 'Price this inspection: vehi assess RESULT.json -o estimate.json';
    throw new VehiError('input', 'DIFFERENT_VEHICLES', message, { hint });
  }
  return assessment;
}
