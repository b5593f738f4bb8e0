import type { AssessmentEnvelope } from '../contract/assessment/assessment.ts';
import type { VisualInspection } from '../contract/inspection.ts';
import type { Result } from '../contract/result.ts';
import {
  type ClaimFacts,
  type ClaimFile,
  IDENTITY_FIELDS,
  type IdentityFacts,
  mergeClaimFiles,
} from '../domain/vehicle/claim-file.ts';
import { type FactRead, findPhotoOf, READ_WARNINGS } from '../domain/vehicle/read-facts.ts';
import { HOUR_MS } from '../lib/durations.ts';
import { compact } from '../lib/lists.ts';
import { defined, pick } from '../lib/objects.ts';
import { describeConversion, formatDateTime, formatMoney, formatNumber, namePhoto } from './figures.ts';
import { capitalize, english, type Translator } from './translator.ts';

/** Merges the claim and vehicle references of the inspection and the assessment. */
export function readClaimFile({ inspection, assessment }: Result): ClaimFile {
  const { claim, vehicle } = inspection?.data ?? {};
  return mergeClaimFiles(readAssessedFile(assessment), defined({ claim, vehicle }));
}

function readAssessedFile(assessment: AssessmentEnvelope | null): ClaimFile {
  if (assessment === null) return {};
  const { claim, vehicle } = assessment.data;
  const stated = pick(vehicle, ['make', 'model', 'year', ...IDENTITY_FIELDS, 'vin_check_digit', 'body']);
  return { ...defined({ claim }), vehicle: stated };
}

/** Returns the vehicle id given by the caller. */
export function pickVehicleId({ inspection, assessment }: Result): string {
  return inspection?.data.vehicle_id ?? assessment?.data.vehicle_id ?? '';
}

/** A labeled fact of the report's head. */
export type Fact = readonly [label: string, value: string];

export function chooseReportTitle({ inspection, assessment }: Result, t: Translator): string {
  if (inspection && assessment) return t`Vehicle damage report and repair estimate`;
  return inspection ? t`Vehicle inspection report` : t`Repair estimate`;
}

/** Formats make, model and year of the vehicle, in English with the year first; undefined if none are known. */
export function describeVehicle(input: Result, t: Translator): string | undefined {
  const { year, make, model } = readClaimFile(input).vehicle ?? {};
  const words = t.code === 'en' ? [year, make, model] : [make, model, year];
  return compact(words).join(' ') || undefined;
}

type ClaimFactKey =
  | FactRead['fact']
  | ('claim' | 'policy' | 'insured' | 'loss' | 'inspector' | 'vehicle' | 'paint_code');

/** Lists the claim and vehicle references that were given and whose key is wanted, claim first. */
export function listClaimFacts(
  input: Result,
  t = english,
  isWanted: (key: ClaimFactKey) => boolean = () => true,
): readonly Fact[] {
  const { claim = {}, vehicle = {} } = readClaimFile(input);
  const words = describeVehicle(input, t);
  const { images = [] } = input.inspection?.data ?? {};
  const nameSource = (fact: FactRead['fact'], text: string | undefined) => {
    const value = vehicle.read?.includes(fact) ? vehicle[fact] : undefined;
    const photo = value && findPhotoOf(images, fact, value);
    return text === undefined || photo === undefined
      ? text
      : t`${text} (read in ${namePhoto(photo, images)})`;
  };
  const facts: readonly (readonly [ClaimFactKey, ...GivenFact])[] = [
    ['claim', t`Claim`, claim.claim_number],
    ['policy', t`Policy`, claim.policy_number],
    ['insured', t`Insured`, claim.insured],
    ['loss', t`Loss`, describeLossDate(claim, input, t)],
    ['inspector', t`Inspector`, claim.inspector],
    ['vehicle', t`Vehicle`, words],
    ['vin', t`VIN`, nameSource('vin', describeVin(vehicle, input, t))],
    ['plate', t`Plate`, nameSource('plate', vehicle.plate)],
    ['odometer', t`Odometer`, nameSource('odometer', formatOdometer(vehicle, input, t))],
    ['paint_code', t`Paint code`, vehicle.paint_code],
  ];
  return keepKnown(facts.flatMap(([key, ...fact]) => (isWanted(key) ? [fact] : [])));
}

type GivenFact = readonly [label: string, value: string | null | undefined];

const keepKnown = (facts: readonly GivenFact[]): readonly Fact[] =>
  facts.flatMap(([label, value]) => (value == null ? [] : [[label, value]]));

/** Lists facts read in photos that nobody stated: plate, VIN and odometer with a photo, make and year in the vehicle. */
export function listReadFacts(input: Result): readonly Fact[] {
  const { read = [] } = input.inspection?.data.vehicle ?? {};
  const keys = read.map((fact): ClaimFactKey => (fact === 'make' || fact === 'year' ? 'vehicle' : fact));
  return listClaimFacts(input, english, (key) => keys.includes(key));
}

/** Formats date and kind of the loss, with a note if it is after the inspection or, without one, the assessment. */
function describeLossDate(
  { loss_date: day, loss_kind: kind }: ClaimFacts,
  input: Result,
  t: Translator,
): string | undefined {
  const words = compact([day && t.figure(day), kind]).join(', ');
  return isLossLater(day, input) ? `${words} (${t.word(LATER_LOSS)})` : words || undefined;
}

const LATER_LOSS = 'after the date of this result; check it';

/** Returns true if the loss date is after the inspection, else the assessment, in every time zone. */
function isLossLater(day: string | undefined, { inspection, assessment }: Result): boolean {
  const made = inspection?.data.created_at ?? assessment?.data.created_at;
  return day !== undefined && made !== undefined && Date.parse(day) > Date.parse(made) + EASTERNMOST_MS;
}

/** The easternmost time zone is UTC+14. */
const EASTERNMOST_MS = 14 * HOUR_MS;

/** Formats the VIN, noting a wrong check digit on vehicles for North America, where a valid one is mandatory. */
function describeVin(vehicle: IdentityFacts, input: Result, t: Translator): string | undefined {
  return isVinDoubtful(vehicle, input) ? `${vehicle.vin} (${t.word(VIN_DOUBT)})` : vehicle.vin;
}

const VIN_DOUBT = 'the check digit does not fit: compare with the vehicle';

/** Lists contradictions of the claim data, with themselves or with the photos; each begins in upper case and has no full stop. */
export function listClaimWarnings(input: Result): readonly string[] {
  const { claim, vehicle = {} } = readClaimFile(input);
  return [
    ...(isLossLater(claim?.loss_date, input) ? [`Loss of ${claim?.loss_date}: ${LATER_LOSS}`] : []),
    ...(isVinDoubtful(vehicle, input) ? [`VIN ${vehicle.vin}: ${VIN_DOUBT}`] : []),
    ...(input.inspection?.data.warnings ?? [])
      .filter(({ code }) => READ_WARNINGS.includes(code))
      .map(({ message }) => capitalize(message)),
  ];
}

/** Returns true if the VIN check digit is wrong and the vehicle's market requires a valid one. */
function isVinDoubtful({ vin, vin_check_digit: check }: IdentityFacts, input: Result): boolean {
  if (vin === undefined || check === undefined || check === 'right') return false;
  return /^[1-5]/.test(vin) || isAmerican(input);
}

/** Returns true for a price region in the United States, where the paper format is Letter. */
export const isAmerican = (input: Result): boolean => /^US(_|$)/.test(readRegion(input)?.code ?? '');

export const readRegion = ({ inspection, assessment }: Result) =>
  inspection?.data.region ?? assessment?.data.region;

const readMeta = ({ inspection, assessment }: Result) => inspection?.meta ?? assessment?.meta;

/** Names the software that created the result: `vehi 1.2.3`. */
export const nameSoftware = (input: Result): string =>
  compact(['vehi', readMeta(input)?.software_version]).join(' ');

function formatOdometer(
  { odometer }: IdentityFacts,
  { assessment }: Result,
  t: Translator,
): string | undefined {
  if (odometer) return t.figure(`${formatNumber(odometer.value, 0)} ${odometer.unit}`);
  const mileage = assessment?.data.vehicle.mileage_km;
  return mileage === undefined ? undefined : t.figure(`${formatNumber(mileage, 0)} km`);
}

/** Lists the facts of the report's head in reading order: ids, dates, region table, software. */
export function listHeadFacts(input: Result, generatedAt: Date, t: Translator): readonly Fact[] {
  const { inspection, assessment } = input;
  const [region, meta] = [readRegion(input), readMeta(input)];
  const time = (iso: string | null | undefined) => t.figure(formatDateTime(iso));
  const rate = meta && t`${t.figure(formatMoney(meta.labor_rate_used, meta.currency))} per hour`;
  const made = inspection?.data.completed_at ?? inspection?.data.created_at;
  return keepKnown([
    [t`Vehicle id`, pickVehicleId(input)],
    [t`Inspection`, inspection?.data.inspection_id ?? assessment?.data.inspection_id],
    [t`Inspected`, inspection && time(made)],
    [t`Assessment`, assessment?.data.assessment_id],
    [t`Assessed`, assessment && time(assessment.data.created_at)],
    [t`Report made`, time(generatedAt.toISOString())],
    [t`Photos`, inspection && countPhotos(inspection.data, t)],
    [
      t`Region table`,
      region &&
        t`${t.word(region.name)} (${region.code}), version ${region.table_version} of ${t.figure(region.effective_date)}`,
    ],
    [t`Labor rate`, rate],
    [t`Converted`, describeConversion(meta, t)],
    [t`Software`, nameSoftware(input)],
  ]);
}

function countPhotos({ images, rejected_images: rejected }: VisualInspection, t: Translator): string {
  const analyzed = images.filter((photo) => photo.analyzed).length;
  return compact([t`${analyzed} analyzed`, rejected.length > 0 && t`${rejected.length} rejected`]).join(', ');
}
