import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { listHeadFacts } from '../facts.ts';
import { type DamageRow, listDamageRows } from '../finding-rows.ts';
import type { ReportPictures } from '../pictures.ts';
import { type SingleVehicle, splitVehicles } from '../split-vehicles.ts';
import type { Translator } from '../translator.ts';
import type { Section } from './blocks.ts';
import { writeCaveats } from './caveats.ts';
import { writeNextPhotos } from './coverage.ts';
import { writeDamages } from './damages.ts';
import { writeTotals } from './estimate.ts';
import { writeDecision, writeFirstPage } from './first-page.ts';
import { writeLines } from './lines.ts';
import { writeMethod } from './method.ts';
import { writeOptions } from './options.ts';
import { writePhotos } from './photos.ts';
import { writeReview } from './review.ts';
import { writeValue } from './value.ts';
import { titleVehicle } from './vehicles.ts';

/** Lists the sections of an illustrated report in reading order. */
export function listReportSections(
  input: Result,
  pictures: ReportPictures,
  generatedAt: Date,
  t: Translator,
): readonly Section[] {
  const { assessment } = input;
  const rows = listDamageRows(input);
  const vehicles = splitVehicles(input);
  return compact<Section>([
    writeFirstPage(input, pictures, t),
    writeDecision(input, t),
    {
      id: 'facts',
      title: '',
      blocks: [{ kind: 'facts' as const, facts: listHeadFacts(input, generatedAt, t) }],
    },
    ...(vehicles.length > 0
      ? vehicles.flatMap((part) => writeVehicle(part, vehicles.length, pictures, t))
      : writeFindings(input, rows, pictures, t)),
    vehicles.length > 0 ? writeSharedCaveats(input, t) : null,
    ...(assessment
      ? [
          writeTotals(assessment, t),
          ...[
            writeLines(assessment, input.inspection, { isCustomary: t.code !== 'en' }, t),
            writeOptions(rows, assessment, {}, t),
            writeValue(assessment.data.summary, t),
          ].map((section) => ({ ...section, small: true })),
        ]
      : []),
    writeReview(input, t),
    writeMethod(input, pictures.redaction, t),
  ]);
}

function writeFindings(
  input: Result,
  rows: readonly DamageRow[],
  pictures: ReportPictures,
  t: Translator,
): readonly (Section | null)[] {
  const [shots, without] = writePhotos(input, pictures, t);
  return [
    writeDamages(input, rows, t),
    shots,
    writeNextPhotos(input, t),
    writeCaveats(input, pictures.missing, t),
    without,
  ];
}

/** Lists the sections of one of several vehicles: its own first page, then its findings and photos. */
function writeVehicle(
  part: SingleVehicle,
  count: number,
  pictures: ReportPictures,
  t: Translator,
): readonly (Section | null)[] {
  const missing = new Map([...pictures.missing].filter(([index]) => part.about.images.includes(index)));
  const first = { ...writeFirstPage(part, pictures, t), title: titleVehicle(part, count, t) };
  const findings = writeFindings(part, listDamageRows(part), { ...pictures, missing }, t);
  return [first, ...findings].map((section) => section && { ...section, vehicle: part.vehicle });
}

/** Builds the section of facts that belong to none of several vehicles: rejected photos and warnings. */
function writeSharedCaveats(input: Result, t: Translator): Section | null {
  const { inspection } = input;
  if (!inspection) return null;
  const { results } = inspection.data;
  const shared = { images: [], missing_views: [], results: results && { ...results, not_assessed: [] } };
  const data = { ...inspection.data, ...shared };
  const section = writeCaveats({ inspection: { ...inspection, data }, assessment: null }, new Map(), t);
  return section && { ...section, id: 'shared-caveats' };
}
