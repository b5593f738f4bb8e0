import { parseFailOn } from '../../config/fail-on.ts';
import { MAX_NOTE_LENGTH, ROW_DECISIONS } from '../../contract/constants.ts';
import type { InspectedResult, Result } from '../../contract/result.ts';
import type { Visit } from '../../engine/compare/album.ts';
import type { Comparison, RowDecision } from '../../engine/compare/comparison.ts';
import { decideRows } from '../../engine/compare/decide-rows.ts';
import { presentComparison } from '../../engine/compare/present-comparison.ts';
import { makeUsageError, VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { toJsonText } from '../../lib/json.ts';
import { compact } from '../../lib/lists.ts';
import { describeCounts, formatInspectionDay } from '../../report/compare/comparison-words.ts';
import { gatherCrops } from '../../report/compare/crops.ts';
import { documentComparison } from '../../report/compare/sections.ts';
import { renderComparisonTable } from '../../report/text/comparison.ts';
import type { FlagsOf } from '../commands.ts';
import { createLocalEngine } from '../local-engine.ts';
import { type OutputKind, renderResult } from '../outputs/kinds.ts';
import { chooseOutputs, type Output } from '../outputs/parse-output.ts';
import { nameOutputs, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { findPhoto, makeFilePictures, makeReportPictures } from '../outputs/report-pictures.ts';
import { openRun } from '../outputs/run.ts';
import { makeFileView } from '../outputs/view.ts';
import { writeOutputs } from '../outputs/write-outputs.ts';
import type { CliContext } from '../terminal/context.ts';
import { decideChanges } from '../terminal/decide-exit.ts';
import { countColumns, writeStatus } from '../terminal/output.ts';
import { quoteCommandLine } from '../terminal/shell-words.ts';
import { readInspection, requirePhotoFolders } from './result-source.ts';
import { type CompareRun, renderVisits } from './visits.ts';

type CompareFlags = FlagsOf<'compare'>;

/** Runs `vehi compare`: reads two inspections, compares them, writes the outputs, sets the exit code. */
export async function runCompare(
  beforeName: string,
  afterName: string | undefined,
  flags: CompareFlags,
  ctx: CliContext,
): Promise<void> {
  const { outputs } = chooseOutputs(flags, 'compare', 'table', ctx);
  refuseMisuse(beforeName, afterName, outputs, flags);
  const decisions = flags.decide?.map(parseRowDecision) ?? [];
  // Its --fail-on accepts other conditions than the setting.
  const { failOn, ...others } = flags;
  const conditions = failOn === 'none' ? {} : parseFailOn(failOn, '--fail-on', 'compare');
  const run = await openRun(others, ctx);
  await refuseOverwrites(nameOutputs(outputs), run, { args: compact([beforeName, afterName]) });
  const { photosBefore, photosAfter } = flags;
  await requirePhotoFolders({ '--photos-before': photosBefore, '--photos-after': photosAfter }, ctx);
  const before = await readInspection(beforeName, ctx);
  if (afterName === undefined) return (await import('./checklist.ts')).writeChecklist(before, outputs, run);
  const after = await readInspection(afterName, ctx);
  if (!flags.anyVehicle) refuseOtherVehicle(before, after, [beforeName, afterName]);
  if (failOn === 'none' && !flags.quiet) await reportIgnoredSetting(run);
  const comparison = decideRows(await compareVisits(before, after, run), decisions);
  await writeComparison(comparison, [before, after], outputs, run);
  if (failOn !== 'none') await warnUncounted(comparison, ctx);
  const { code, message } = decideChanges(comparison, conditions);
  if (message !== undefined) await writeStatus(ctx, `vehi: ${message}`);
  ctx.setExitCode(code);
}

/** Refuses what does not go with a checklist, and a comparison without a later inspection. @throws VehiError usage */
function refuseMisuse(
  before: string,
  after: string | undefined,
  outputs: readonly Output[],
  { checklist }: CompareFlags,
): void {
  if (checklist && after !== undefined)
    throw makeUsageError(
      `--checklist is made before the return, and ${after} was given too.`,
      quoteCommandLine(['vehi', 'compare', before, '--checklist']),
    );
  if (checklist && outputs.some(({ kind }) => kind === 'evidence'))
    throw makeUsageError(
      'a checklist is not evidence.',
      'Write it with -o pdf=FILE, html=FILE or json=FILE.',
    );
  if (!checklist && after === undefined)
    throw makeUsageError(
      'compare needs a later inspection.',
      `${quoteCommandLine(['vehi', 'compare', before, 'RETURN.json'])}, or --checklist before the return.`,
    );
}

/** Reports conditions of a setting, which are for inspections. */
async function reportIgnoredSetting({ settings, ctx }: CompareRun): Promise<void> {
  const { value, from } = settings.fail_on;
  if (value !== 'none')
    await writeStatus(ctx, `vehi: ${from}: fail_on is for inspections; here it is --fail-on new or changed`);
}

/** @throws VehiError input DIFFERENT_VEHICLES */
function refuseOtherVehicle(
  before: InspectedResult,
  after: InspectedResult,
  [beforeName, afterName]: readonly [string, string],
): void {
  const one = before.inspection.data.vehicle_id;
  const other = after.inspection.data.vehicle_id;
  if (one === other) return;
  const message = `${beforeName} is of vehicle ${one}, ${afterName} of ${other}.`;
  const hint = 'Give two inspections of one vehicle, or --any-vehicle where only the ids differ.';
  throw new VehiError('input', 'DIFFERENT_VEHICLES', message, { hint });
}

/** Writes a comparison; its reports and an evidence file share the pictures. */
async function writeComparison(
  comparison: Comparison,
  [before, after]: readonly [InspectedResult, InspectedResult],
  outputs: readonly Output[],
  run: CompareRun,
): Promise<void> {
  const { flags, redaction, ctx } = run;
  const generatedAt = run.now();
  const json = () => toJsonText(presentComparison(comparison, generatedAt));
  let pictures: ReturnType<typeof gatherPictures> | undefined;
  const renderReport = async (kind: OutputKind) => {
    pictures ??= gatherPictures(comparison, before, after, run);
    return renderVisits(kind, documentComparison(comparison, await pictures), run, generatedAt);
  };
  const renderEvidence = async () =>
    renderResult('evidence', after, {
      ...makeFileView({ ...run, failOn: 'none', now: () => generatedAt }),
      pictures: makeReportPictures(after, flags.photosAfter, redaction, ctx),
      photosFolder: flags.photosAfter,
      compared: {
        summary: `Since ${formatInspectionDay(comparison.before)}: ${describeCounts(comparison)}. All places: comparison.pdf.`,
        files: {
          'comparison.json': json(),
          'comparison.pdf': await renderReport('pdf'),
          'earlier-result.json': toJsonText(before.inspection),
        },
      },
    });
  const render = async ({ kind }: Output) => {
    if (kind === 'table') return renderComparisonTable(comparison, ctx.color.stdout, countColumns(ctx));
    if (kind === 'json') return json();
    return kind === 'evidence' ? renderEvidence() : renderReport(kind);
  };
  await writeOutputs(outputs, render, { ctx, quiet: flags.quiet, redaction });
}

/** Parses `3=was_there: seen on the handover sheet`. @throws VehiError usage */
function parseRowDecision(given: string): readonly [row: string, decision: RowDecision] {
  const [, row = '', word, note = ''] = /^(B?\d{1,4})=(\w+)(?::\s*(\S.*))?$/u.exec(given.trim()) ?? [];
  const decision = ROW_DECISIONS.find((one) => one === word);
  const makeError = (what: string, hint: string) =>
    new VehiError('usage', 'INVALID_DECISION', `--decide ${what}`, { field: 'decide', hint });
  if (decision === undefined)
    throw makeError(
      `${given} is not a decision on a row.`,
      `ROW=${ROW_DECISIONS.join(', ROW=')}, a note after a colon: --decide "3=was_there: on the handover sheet".`,
    );
  if (note.length > MAX_NOTE_LENGTH)
    throw makeError(
      `${row}=${decision}: the note has ${note.length} characters.`,
      `At most ${MAX_NOTE_LENGTH}.`,
    );
  return [row, { decision, ...(note ? { note } : {}) }];
}

/** Compares, with photos from their inspected locations or the given folders. */
async function compareVisits(before: InspectedResult, after: InspectedResult, run: CompareRun) {
  const { photosBefore, photosAfter } = run.flags;
  const visit = (source: InspectedResult, folder: string | undefined): Visit => ({
    inspection: source.inspection,
    async openPhoto(photo) {
      const found = await findPhoto(photo, source, folder);
      return 'missing' in found ? null : { kind: 'bytes', bytes: found.bytes, name: photo.url };
    },
  });
  const engine = await createLocalEngine(run, 'when-needed');
  return engine.compare(visit(before, photosBefore), visit(after, photosAfter)).finally(() => engine.close());
}

/** Prints the number of certain damages in the later inspection that --fail-on ignores. */
async function warnUncounted({ places }: Comparison, ctx: CliContext): Promise<void> {
  const open = places.filter(
    ({ change, certain, before }) =>
      certain && before === null && (change === 'cannot_tell' || change === 'not_photographed'),
  );
  if (open.length === 0) return;
  const damages = formatCount(open.length, 'damage');
  await writeStatus(
    ctx,
    `vehi: --fail-on does not count ${damages} that the earlier photos neither show nor rule out (see the table).`,
  );
}

async function gatherPictures(comparison: Comparison, before: Result, after: Result, run: CompareRun) {
  const { flags, redaction } = run;
  const gatherVisit = async (visit: 'before' | 'after', source: Result, folder: string | undefined) => {
    const files = makeFilePictures(source, folder, redaction);
    return gatherCrops(comparison, visit, files).finally(() => files.close());
  };
  return {
    before: await gatherVisit('before', before, flags.photosBefore),
    after: await gatherVisit('after', after, flags.photosAfter),
    redaction: redaction.note(before, after),
  };
}
