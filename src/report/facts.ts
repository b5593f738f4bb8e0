import { dateTime, money, plain } from './figures.ts';
import { type ReportInput, vehicleIdOf } from './input.ts';

/** A labelled fact of the report's head. */
export type Fact = readonly [label: string, value: string];

/** What the report is called. */
export function reportTitle({ inspection, assessment }: ReportInput): string {
  if (inspection && assessment) return 'Vehicle damage report and repair estimate';
  return inspection ? 'Vehicle inspection report' : 'Repair estimate';
}

/** The vehicle in words (year, make, model) where the assessment knows it. */
export function vehicleWords({ assessment }: ReportInput): string | undefined {
  const vehicle = assessment?.data.vehicle;
  const words = [vehicle?.year, vehicle?.make, vehicle?.model].filter((one) => one !== undefined);
  return words.length > 0 ? words.join(' ') : undefined;
}

/** The facts of the report's head, in reading order: vehicle, ids, dates, region table, models, software. */
export function headFacts(input: ReportInput, generatedAt: Date): readonly Fact[] {
  const { inspection, assessment } = input;
  const region = inspection?.data.region ?? assessment?.data.region;
  const meta = inspection?.meta ?? assessment?.meta;
  const mileage = assessment?.data.vehicle.mileage_km;
  const vehicle = vehicleWords(input);
  const facts: (Fact | undefined)[] = [
    ['Vehicle id', vehicleIdOf(input)],
    vehicle === undefined ? undefined : ['Vehicle', vehicle],
    mileage === undefined ? undefined : ['Mileage', `${plain(mileage, 0)} km`],
    inspection ? ['Inspection', inspection.data.inspection_id] : undefined,
    !inspection && assessment?.data.inspection_id ? ['Inspection', assessment.data.inspection_id] : undefined,
    inspection
      ? ['Inspected', dateTime(inspection.data.completed_at ?? inspection.data.created_at)]
      : undefined,
    assessment ? ['Assessment', assessment.data.assessment_id] : undefined,
    assessment ? ['Assessed', dateTime(assessment.data.created_at)] : undefined,
    ['Report made', dateTime(generatedAt.toISOString())],
    inspection ? ['Photos', photoCount(input)] : undefined,
    region
      ? [
          'Region table',
          `${region.name} (${region.code}), version ${region.table_version} of ${region.effective_date}`,
        ]
      : undefined,
    meta
      ? ['Labour rate', `${money(meta.labor_rate_used, meta.currency)} per hour${fxText(input)}`]
      : undefined,
    inspection
      ? [
          'Models',
          inspection.data.models
            .map((model) => `${model.name} ${model.version} (${model.precision})`)
            .join(', ') || '–',
        ]
      : undefined,
    meta ? ['Software', `vehi ${meta.software_version}`] : undefined,
  ];
  return facts.filter((fact) => fact !== undefined);
}

function photoCount({ inspection }: ReportInput): string {
  if (!inspection) return '–';
  const { images, rejected_images: rejected } = inspection.data;
  const analysed = images.filter((photo) => photo.analysed).length;
  return [`${analysed} analysed`, ...(rejected.length > 0 ? [`${rejected.length} rejected`] : [])].join(', ');
}

function fxText({ inspection, assessment }: ReportInput): string {
  const fx = inspection?.meta.fx ?? assessment?.meta.fx;
  return fx ? ` (${fx.from} to ${fx.to} at ${plain(fx.rate, 6)} of ${fx.date})` : '';
}
