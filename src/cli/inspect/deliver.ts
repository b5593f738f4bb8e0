import { readFailOn } from '../../config/settings.ts';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { InspectedResult } from '../../contract/result.ts';
import { endInspection } from '../../engine/inspect/finish.ts';
import type { GatheredPhotos } from '../../images/find/gather-photos.ts';
import type { NextCommands } from '../../report/headline.ts';
import { includesPhotos, type OutputKind, renderResult } from '../outputs/kinds.ts';
import type { KnownVehicle } from '../outputs/known-vehicle.ts';
import type { Output } from '../outputs/parse-output.ts';
import { locatePhotos } from '../outputs/report-pictures.ts';
import type { Run } from '../outputs/run.ts';
import { createFileView, createScreenView, nameNextCommands, type RunView } from '../outputs/view.ts';
import { openAttempts, reportWritten, writeAll, writeOutputs } from '../outputs/write-outputs.ts';
import type { CliContext } from '../terminal/context.ts';
import { write, writeStatus } from '../terminal/output.ts';
import { openAnnotator, reportAnnotated } from './annotated.ts';
import { assessInspection } from './assess-inspection.ts';
import type { InspectFlags } from './inspect-request.ts';

/** Options for the outputs of a run. */
export interface Delivery extends Run {
  readonly flags: InspectFlags;
  readonly gathered: GatheredPhotos;
  /** Paths of the annotated photos by URL; empty if none are wanted. */
  readonly copies: ReadonlyMap<string, string>;
  readonly known: KnownVehicle;
  /** Output kind printed to stdout. */
  readonly print: OutputKind;
  readonly outputs: readonly Output[];
}

/**
 * Assesses, writes and prints a result as requested, except evidence.
 * @throws VehiError for the first output that failed, after writing all others
 */
export async function deliver(found: InspectionEnvelope, run: Delivery, ctx: CliContext): Promise<Delivered> {
  const { flags, settings, gathered, known, print, outputs, redaction, now } = run;
  const attempts = openAttempts(ctx);
  const photos = locatePhotos(gathered.photos, ctx.cwd);
  const showsPhotos = includesPhotos([...outputs, { kind: print }]);
  const drawn = { copies: run.copies, photos: gathered.photos, showsPhotos, redaction };
  const annotator = openAnnotator({ inspection: found, assessment: null, photos }, drawn, ctx);
  const annotated = await attempts.of(annotator.annotate);
  const inspection = endInspection(found, { annotated: annotator.written });
  const assessment =
    flags.assess && inspection.data.results
      ? ((await attempts.of(() => assessInspection(inspection, known, settings, now))) ?? null)
      : null;
  if (flags.assess && inspection.data.results?.mixed_vehicles)
    await writeStatus(
      ctx,
      'vehi: no assessment was made: it is of one vehicle, and the photos show several.',
    );
  const result: InspectedResult = { inspection, assessment, photos };
  const view = { ...makeView(run), pictures: annotator.pictures };
  const renderOutput = ({ kind }: Output) => renderResult(kind, result, createFileView(view));
  const written = await writeOutputs(
    outputs.filter((one) => !isEvidence(one)),
    renderOutput,
    attempts,
    ctx,
  );
  // Printed before the result, whose figures must remain last on screen. Evidence follows with its own pictures, and
  // its redactions are reported once at the end.
  if (!outputs.some(isEvidence)) await redaction.report();
  const screen = {
    ...view,
    quiet: Boolean(flags.quiet),
    verbose: Boolean(flags.verbose),
    all: Boolean(flags.all),
  };
  await write(ctx.stdout, await renderResult(print, result, createScreenView(screen, ctx)));
  if (!flags.quiet && print === 'table') {
    await reportWritten(written, ctx);
    if (annotated?.length && flags.annotated) await reportAnnotated(annotated, flags.annotated, ctx);
  }
  await attempts.settle();
  return { result, view };
}

interface Delivered {
  readonly result: InspectedResult;
  /** View with the pictures already created, to avoid opening photos again. */
  readonly view: RunView;
}

const isEvidence = ({ kind }: Output) => kind === 'evidence';

/** Writes the requested evidence files. */
export async function deliverEvidence(
  { result, view }: Delivered,
  outputs: readonly Output[],
  ctx: CliContext,
): Promise<void> {
  const run = { ...view, evidence: { env: ctx.env } };
  const renderOutput = ({ kind }: Output) => renderResult(kind, result, createFileView(run));
  await writeAll(outputs.filter(isEvidence), renderOutput, { quiet: false }, ctx);
}

/** Creates the view for the outputs of a run, without pictures. */
export function makeView({ settings, outputs, page, redaction, now }: Delivery): RunView {
  const next = chooseNextCommands(outputs);
  return { ...readFailOn(settings), page, now, next, showsPlates: !redaction.isOn };
}

/** Returns the suggested next commands: with the result file, or a repeated run. */
function chooseNextCommands(outputs: readonly Output[]): NextCommands {
  const file = outputs.find(({ kind, path }) => kind === 'json' && path !== '-')?.path;
  if (file !== undefined) return nameNextCommands(file);
  return { review: 'to correct it: -o result.json', report: 'for the file: -o report.pdf' };
}
