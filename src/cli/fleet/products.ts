import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { InspectedResult } from '../../contract/result.ts';
import { endInspection } from '../../engine/inspect/finish.ts';
import type { PhotoInput } from '../../engine/request.ts';
import { hashBytes } from '../../lib/ids.ts';
import { openAnnotator } from '../inspect/annotated.ts';
import { KINDS, renderResult, showPhotos } from '../outputs/kinds.ts';
import type { KnownVehicle } from '../outputs/known-vehicle.ts';
import type { FolderOutput } from '../outputs/parse-output.ts';
import type { Redaction } from '../outputs/redaction.ts';
import { makeReportPictures } from '../outputs/report-pictures.ts';
import { createFileView, type RunView } from '../outputs/view.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole } from '../terminal/output.ts';

/** Outputs per vehicle of a fleet, in addition to its JSON and summary row. */
export interface FleetProducts {
  /** Output kinds with their folders, one file per vehicle. */
  readonly outputs: readonly FolderOutput[];
  /** Parent folder of the annotated photos, one folder per vehicle; null if not requested. */
  readonly annotated: string | null;
  readonly assess: boolean;
  readonly view: RunView;
  /** Redaction applied to the pictures. */
  readonly redaction: Redaction;
}

/** Computes a key of all inputs of a vehicle's files except its inspection; a new key recreates the files. */
export function computeProductsKey(products: FleetProducts, known: KnownVehicle, cwd: string): string {
  const { outputs, annotated, assess, view, redaction } = products;
  const facts = {
    outputs: outputs.map(({ kind, folder }) => [kind, resolve(cwd, folder)]),
    annotated: annotated === null ? null : resolve(cwd, annotated),
    vehicle: assess ? known.vehicle : null,
    file: known.file,
    assess,
    failOn: view.failOn,
    failOnToCheck: view.failOnToCheck,
    redacts: redaction.isOn,
    page: [
      view.page.pageSize,
      view.page.language,
      view.page.extraFont ? hashBytes(view.page.extraFont) : null,
    ],
  };
  return hashBytes(JSON.stringify(facts));
}

/** Returns true if all files created for a vehicle still exist. */
export async function hasAllFiles(
  name: string,
  { data }: InspectionEnvelope,
  products: FleetProducts,
  cwd: string,
): Promise<boolean> {
  const pictures = data.images.flatMap(({ annotated_url }) => annotated_url ?? []);
  for (const path of [...listFiles(name, products), ...pictures]) {
    const exists = await access(resolve(cwd, path)).then(
      () => true,
      () => false,
    );
    if (!exists) return false;
  }
  return true;
}

/**
 * Draws a vehicle's photos and writes its outputs. Returns the inspection with the picture paths.
 * @throws VehiError usage OUTPUT_NOT_WRITABLE, input if a photo has changed since the inspection
 */
export async function makeProducts(
  name: string,
  found: InspectedResult,
  photos: readonly PhotoInput[],
  copies: ReadonlyMap<string, string>,
  products: FleetProducts,
  ctx: CliContext,
): Promise<InspectionEnvelope> {
  const annotator = products.annotated ? openAnnotator(found.inspection, copies, ctx.cwd) : null;
  const drawsTogether = annotator !== null && showPhotos(products.outputs);
  const whileOpen = drawsTogether ? annotator.draw : undefined;
  const pictures = makeReportPictures(found, undefined, products.redaction, ctx, whileOpen);
  if (drawsTogether) await pictures();
  else await annotator?.drawAll(photos, products.redaction);
  annotator?.finish();
  const inspection = endInspection(found.inspection, { annotated: annotator?.written ?? new Map() });
  const result = { ...found, inspection };
  const paths = listFiles(name, products);
  const view = createFileView({
    ...products.view,
    pictures,
    evidence: { env: ctx.env },
  });
  for (const [index, { kind }] of products.outputs.entries())
    await writeFileWhole(paths[index] ?? '', await renderResult(kind, result, view), ctx.cwd);
  return inspection;
}

function listFiles(name: string, { outputs }: FleetProducts): string[] {
  return outputs.map(({ kind, folder }) => join(folder, `${name}${KINDS[kind].endings[0]}`));
}
