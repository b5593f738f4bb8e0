import { dirname, resolve } from 'node:path';
import { readSettings } from '../../config/settings.ts';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { RawRequest } from '../../engine/assess/request-from-inspection.ts';
import type { Engine } from '../../index.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { toJsonText } from '../../lib/json.ts';
import { parseDecimal } from '../../lib/numbers.ts';
import { type ClosedJob, fitShop, MIN_JOBS, makeShopTable, type ShopFit } from '../../pricing/fit-shop.ts';
import type { RegionRow } from '../../pricing/tables/region-schema.ts';
import {
  isEstimate,
  makeRequestFromFlags,
  REQUEST_HINT,
  readAssessmentRequest,
} from '../assess/assess-input.ts';
import { makeRequestFromEstimate } from '../assess/request-from-estimate.ts';
import type { FlagsOf } from '../commands.ts';
import { readClaimFlags } from '../known-vehicle.ts';
import { createLocalEngine, loadConfiguredTables } from '../local-engine.ts';
import type { CliContext } from '../terminal/context.ts';
import { write, writeStatus } from '../terminal/output.ts';
import { makeListError, readCsv } from '../terminal/read-csv.ts';
import { readJson, readText } from '../terminal/read-json.ts';
import { findRow } from './regions.run.ts';

/**
 * Fits a custom region to a shop's closed jobs and prints it; factor and range go to stderr.
 * @throws VehiError INVALID_REQUEST for an invalid file, too few jobs, or bills that give no valid region
 */
export async function runRegionsFit(file: string, flags: FlagsOf<'regions fit'>, ctx: CliContext) {
  const settings = readSettings(flags, ctx);
  const row = findRow(await loadConfiguredTables(settings), flags.from, '--from');
  const engine = await createLocalEngine({ settings, now: ctx.now, ctx }, 'when-needed');
  const jobs = await readClosedJobs(file, row, engine, ctx).finally(() => engine.close());
  if (jobs.length < MIN_JOBS)
    throw makeFault(
      `${file} has ${formatCount(jobs.length, 'job')}; at least ${MIN_JOBS} are needed.`,
      'With fewer jobs, single bills decide the fit.',
    );
  const fit = fitShop(jobs);
  const date = ctx.now().toISOString().slice(0, 10);
  await write(ctx.stdout, toJsonText(makeShopTable(row, fit, date)));
  await writeStatus(ctx, describeFit(fit, row.code));
}

/** Reads the jobs of a list and estimates each in the region. @throws VehiError with the faults of all lines */
async function readClosedJobs(
  file: string,
  region: RegionRow,
  engine: Pick<Engine, 'assess'>,
  ctx: CliContext,
): Promise<readonly ClosedJob[]> {
  const rows = readCsv(await readText(file, ctx), ['damages', 'bill'], (fault) =>
    makeListError('INVALID_REQUEST', file, [fault], FORM),
  );
  const options = { labor_rate_region: region.code, currency: region.currency };
  const folder = dirname(resolve(ctx.cwd, file));
  const faults: string[] = [];
  const jobs: ClosedJob[] = [];
  for (const { line, cells } of rows) {
    const { damages = '', bill = '', vehicle = '' }: Partial<Record<string, string>> = cells;
    try {
      const request = await readJob(damages, vehicle, { ...ctx, cwd: folder });
      const priced = engine.assess({ vehicle_id: `job-${line}`, ...request, assessment_options: options });
      jobs.push(readClosedJob(priced, parseDecimal(bill)));
    } catch (error) {
      faults.push(`line ${line}: ${toReason(error)}`);
    }
  }
  if (faults.length > 0) throw makeListError('INVALID_REQUEST', file, faults, 'Each line is a job.');
  return jobs;
}

const makeFault = (message: string, hint: string) =>
  new VehiError('input', 'INVALID_REQUEST', message, { hint });

const FORM =
  'A first line `damages,bill` (and `vehicle`), then one job per line: hood:dent:moderate:4 front_bumper:crack:severe,3120.50';

/** Builds the request of a job from a file of damages, a request or an estimate, or from `--damage` values. */
async function readJob(damages: string, vehicle: string, ctx: CliContext): Promise<RawRequest> {
  const facts = vehicle === '' ? {} : { vehicle: readClaimFlags({ set: [vehicle] }, 'vehicle').vehicle };
  if (!damages.endsWith('.json'))
    return { ...makeRequestFromFlags(damages.split(/[\s;]+/).filter(Boolean)), ...facts };
  const document = await readJson(damages, ctx, REQUEST_HINT);
  const { line_edits: _, ...request } = isEstimate(document)
    ? makeRequestFromEstimate(document, damages)
    : readAssessmentRequest(document);
  return { ...request, ...facts };
}

function readClosedJob({ data }: AssessmentEnvelope, bill: number): ClosedJob {
  if (!(bill > 0 && Number.isFinite(bill))) throw makeFault('bill: an amount above 0 is needed.', FORM);
  return { estimate: data.summary.repair_cost_summary.first_bill.estimated, bill };
}

const describeFit = ({ jobs, factor, low, high, jobsWithinRange }: ShopFit, from: string): string =>
  [
    `${jobs} jobs. The median bill is ${factor.toFixed(2)} of an estimate as ${from}.`,
    `Eight of ten bills are ${low.toFixed(2)} to ${high.toFixed(2)} of that; the range of the other jobs holds ${jobsWithinRange} of ${jobs}.`,
  ].join('\n');
