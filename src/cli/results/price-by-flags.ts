import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { EQUIPMENT_FACTS } from '../../domain/vehicle.ts';
import type { Pricer } from '../../engine/ports.ts';
import { createPricer, loadTablesWith } from '../../engine/pricer.ts';
import type { VehicleFacts } from '../../engine/request.ts';
import { repriceEnvelope } from '../../engine/review/reprice.ts';
import { VehiError } from '../../lib/errors.ts';
import { type ClaimFlags, readClaimFlags } from '../outputs/claim-file.ts';

/** Facts of a vehicle that its prices go by. */
const PRICED_BY = ['class', 'make', 'paint', ...EQUIPMENT_FACTS] as const;

/**
 * Returns the result priced for the vehicle that the flags describe.
 * @throws VehiError usage where the result has an estimate for another vehicle, or is priced by a region of one's own
 */
export async function priceByFlags(input: Result, flags: ClaimFlags): Promise<Result> {
  const { vehicle } = readClaimFlags(flags);
  const named = PRICED_BY.filter((fact) => vehicle[fact] !== undefined);
  const { inspection, assessment } = input;
  if (named.length === 0) return input;
  const said = named.map((fact) => `${fact}=${vehicle[fact]}`).join(',');
  if (assessment) {
    const differs = named.some((fact) => vehicle[fact] !== readPricedFact(assessment, fact));
    if (differs) throw estimateStands(said);
    return input;
  }
  if (!inspection?.data.results) return input;
  const pricer = await makePricer(inspection, { ...inspection.data.vehicle, ...vehicle }, said);
  return { ...input, inspection: repriceEnvelope(inspection, pricer) };
}

async function makePricer(
  { meta }: InspectionEnvelope,
  vehicle: VehicleFacts,
  said: string,
): Promise<Pricer> {
  const tables = await loadTablesWith(undefined);
  if (tables.regions.rows.some(({ code }) => code === meta.region))
    return createPricer(tables, meta.region, meta.currency, vehicle);
  throw new VehiError(
    'usage',
    'REGION_NOT_SHIPPED',
    `--set ${said}: cannot price again, the region ${meta.region} is not among the shipped ones.`,
    { hint: `Inspect the photos again: vehi inspect PHOTOS --regions FILE --set ${said}` },
  );
}

function readPricedFact({ data }: AssessmentEnvelope, fact: (typeof PRICED_BY)[number]): unknown {
  const vehicle: Readonly<Record<string, unknown>> = data.vehicle;
  return fact === 'class' ? data.vehicle.class_used : vehicle[fact];
}

function estimateStands(said: string): VehiError {
  return new VehiError(
    'usage',
    'ESTIMATE_STANDS',
    `--set ${said}: the estimate in the report was priced for another vehicle, and a report does not change an estimate.`,
    {
      hint: `Make the estimate for this vehicle: vehi assess RESULT.json --set ${said} -o estimate.json, then vehi report RESULT.json --assessment estimate.json`,
    },
  );
}
