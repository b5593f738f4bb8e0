import type { Result } from '../contract/result.ts';
import type { ClaimFacts, IdentityFacts } from '../domain/claim-file.ts';
import { HOUR_MS } from '../lib/durations.ts';
import { describeConversion, formatDateTime, formatMoney, formatNumber } from './figures.ts';
import { readClaimFile, readVehicleId } from './finding-rows.ts';

/** A labelled fact of the report's head. */
export type Fact = readonly [label: string, value: string];

/** Returns the report title. */
export function chooseReportTitle({ inspection, assessment }: Result): string {
  if (inspection && assessment) return 'Vehicle damage report and repair estimate';
  return inspection ? 'Vehicle inspection report' : 'Repair estimate';
}

/** Formats year, make and model of the vehicle; undefined if none are known. */
export function describeVehicle(input: Result): string | undefined {
  const vehicle = { ...input.assessment?.data.vehicle, ...readClaimFile(input).vehicle };
  const words = [vehicle.year, vehicle.make, vehicle.model].filter((one) => one !== undefined);
  return words.length > 0 ? words.join(' ') : undefined;
}

/** Lists the claim and vehicle references that were given, claim first. */
export function listClaimFacts(input: Result): readonly Fact[] {
  const { claim = {}, vehicle = {} } = readClaimFile(input);
  const words = describeVehicle(input);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Claim', claim.claim_number],
    ['Policy', claim.policy_number],
    ['Insured', claim.insured],
    ['Loss', describeLossDate(claim, input)],
    ['Inspector', claim.inspector],
    ['Vehicle', words],
    ['VIN', describeVin(vehicle, input)],
    ['Plate', vehicle.plate],
    ['Odometer', formatOdometer(vehicle, input)],
    ['Paint code', vehicle.paint_code],
  ];
  return facts.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
}

/** Formats date and kind of the loss, with a note if it is after the inspection. */
function describeLossDate(
  { loss_date: day, loss_kind: kind }: ClaimFacts,
  input: Result,
): string | undefined {
  const words = [day, kind].filter((one) => one !== undefined).join(', ');
  if (words === '') return undefined;
  return isLossLater(input) ? `${words} (${LATER_LOSS})` : words;
}

const LATER_LOSS = 'after the inspection: check the date';

/** Returns true if the loss date is after the inspection in every time zone. */
function isLossLater(input: Result): boolean {
  const day = readClaimFile(input).claim?.loss_date;
  const inspected = Date.parse(input.inspection?.data.created_at ?? input.assessment?.data.created_at ?? '');
  if (day === undefined || Number.isNaN(inspected)) return false;
  return Date.parse(day) > inspected + EASTERNMOST_MS;
}

/** The easternmost time zone is UTC+14. */
const EASTERNMOST_MS = 14 * HOUR_MS;

/** Formats the VIN, noting a wrong check digit on vehicles for North America, where a valid one is mandatory. */
function describeVin({ vin }: IdentityFacts, input: Result): string | undefined {
  if (vin === undefined) return undefined;
  return isVinDoubtful(input) ? `${vin} (${VIN_DOUBT})` : vin;
}

const VIN_DOUBT = 'the check digit does not fit: compare with the vehicle';

/** Lists contradictions in the claim data, one sentence each: a loss after the inspection, an implausible VIN. */
export function listClaimWarnings(input: Result): readonly string[] {
  const { claim, vehicle } = readClaimFile(input);
  return [
    ...(isLossLater(input) ? [`Loss of ${claim?.loss_date}: ${LATER_LOSS}`] : []),
    ...(vehicle?.vin !== undefined && isVinDoubtful(input) ? [`VIN ${vehicle.vin}: ${VIN_DOUBT}`] : []),
  ];
}

/** Returns true if the VIN check digit is wrong and the vehicle's market requires a valid one. */
function isVinDoubtful(input: Result): boolean {
  const { vin, vin_check_digit: check } = readClaimFile(input).vehicle ?? {};
  if (vin === undefined || check === undefined || check === 'right') return false;
  return /^[1-5]/.test(vin) || isAmerican(input);
}

/** Returns true for a price region in the United States, where the paper format is Letter. */
export function isAmerican({ inspection, assessment }: Result): boolean {
  const region = inspection?.data.region ?? assessment?.data.region;
  return /^US(_|$)/.test(region?.code ?? '');
}

function formatOdometer({ odometer }: IdentityFacts, { assessment }: Result): string | undefined {
  if (odometer) return `${formatNumber(odometer.value, 0)} ${odometer.unit}`;
  const mileage = assessment?.data.vehicle.mileage_km;
  return mileage === undefined ? undefined : `${formatNumber(mileage, 0)} km`;
}

/** Lists the facts of the report's head in reading order: ids, dates, region table, software. */
export function listHeadFacts(input: Result, generatedAt: Date): readonly Fact[] {
  const { inspection, assessment } = input;
  const region = inspection?.data.region ?? assessment?.data.region;
  const meta = inspection?.meta ?? assessment?.meta;
  const conversion = describeConversion(meta);
  const facts: (Fact | undefined)[] = [
    ['Vehicle id', readVehicleId(input)],
    inspection ? ['Inspection', inspection.data.inspection_id] : undefined,
    !inspection && assessment?.data.inspection_id ? ['Inspection', assessment.data.inspection_id] : undefined,
    inspection
      ? ['Inspected', formatDateTime(inspection.data.completed_at ?? inspection.data.created_at)]
      : undefined,
    assessment ? ['Assessment', assessment.data.assessment_id] : undefined,
    assessment ? ['Assessed', formatDateTime(assessment.data.created_at)] : undefined,
    ['Report made', formatDateTime(generatedAt.toISOString())],
    inspection ? ['Photos', countPhotos(input)] : undefined,
    region
      ? [
          'Region table',
          `${region.name} (${region.code}), version ${region.table_version} of ${region.effective_date}`,
        ]
      : undefined,
    meta ? ['Labor rate', `${formatMoney(meta.labor_rate_used, meta.currency)} per hour`] : undefined,
    conversion === undefined ? undefined : ['Converted', conversion],
    meta ? ['Software', `vehi ${meta.software_version}`] : undefined,
  ];
  return facts.filter((fact) => fact !== undefined);
}

function countPhotos({ inspection }: Result): string {
  if (!inspection) return '–';
  const { images, rejected_images: rejected } = inspection.data;
  const analysed = images.filter((photo) => photo.analysed).length;
  return [`${analysed} analysed`, ...(rejected.length > 0 ? [`${rejected.length} rejected`] : [])].join(', ');
}
