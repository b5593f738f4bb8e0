import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Change } from '../../domain/judge/compare.ts';
import { type Comparison, compareInspections, presentComparison } from '../../engine/compare/comparison.ts';
import { VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import { openAttempts } from '../outputs/attempts.ts';
import type { PageFlags } from '../outputs/page-options.ts';
import { readPageSettings } from '../outputs/page-options.ts';
import { parseOutput } from '../outputs/parse-output.ts';
import { openRedaction } from '../outputs/redaction.ts';
import { makeReportPictures, type ReportSource } from '../outputs/report-pictures.ts';
import { reportWritten, writeOutputs } from '../outputs/write-outputs.ts';
import { renderComparisonTable } from '../tables/comparison-table.ts';
import { countColumns } from '../terminal/columns.ts';
import type { CliContext } from '../terminal/context.ts';
import { decideExit } from '../terminal/exit-code.ts';
import { chooseClock } from '../terminal/now.ts';
import { write } from '../terminal/output.ts';
import { readSource } from './report-source.ts';

/** Flags of `vehi compare` as commander hands them over. */
export interface CompareFlags extends PageFlags {
  readonly json?: boolean;
  readonly format: string;
  readonly output?: readonly string[];
  readonly photosBefore?: string;
  readonly photosAfter?: string;
  readonly redact?: boolean;
  readonly redactStrict?: boolean;
  readonly redactRegions?: string;
  readonly anyVehicle?: boolean;
  readonly failOn: string;
  readonly quiet?: boolean;
  readonly now?: string;
}

/** Changes that each value of --fail-on stands for. */
const FAILING = { none: [], new: ['new'], worse: ['new', 'worse'] } as const satisfies Record<
  string,
  readonly Change[]
>;

/** Runs `vehi compare`. */
export async function runCompare(
  beforeName: string,
  afterName: string,
  flags: CompareFlags,
  ctx: CliContext,
): Promise<void> {
  const outputs = (flags.output ?? []).map((value) => parseOutput(value, 'compare'));
  const before = await readInspection(beforeName, ctx);
  const after = await readInspection(afterName, ctx);
  const one = before.inspection.data.vehicle_id;
  const other = after.inspection.data.vehicle_id;
  if (one !== other && !flags.anyVehicle) {
    throw new VehiError(
      'input',
      'DIFFERENT_VEHICLES',
      `${beforeName} is of vehicle ${one}, ${afterName} of ${other}`,
      { hint: 'Give two inspections of one vehicle, or --any-vehicle where only the ids differ.' },
    );
  }
  const comparison = compareInspections(before.inspection, after.inspection);
  const generatedAt = chooseClock(flags.now, ctx)();
  const json = () => toJsonText(presentComparison(comparison, generatedAt));
  const attempts = openAttempts(ctx);
  const contents = async ({ kind }: (typeof outputs)[number]) =>
    kind === 'json' ? json() : renderPdf(comparison, before, after, { flags, generatedAt }, ctx);
  const written = await writeOutputs(outputs, contents, attempts, ctx);
  if (!flags.quiet) await reportWritten(written, ctx);
  if (flags.json || flags.format === 'json') await write(ctx.stdout, json());
  else if (!outputs.some(({ path }) => path === '-'))
    await write(ctx.stdout, renderComparisonTable(comparison, ctx.colour.stdout, countColumns(ctx)));
  await attempts.settle();
  if (flags.failOn !== 'none') await warnUncounted(comparison, ctx);
  const changes = FAILING[flags.failOn as keyof typeof FAILING];
  const failOnChanges = { named: flags.failOn, changes };
  const { code, because } = decideExit({ comparison }, { failOnChanges });
  if (because !== undefined) await write(ctx.stderr, `vehi: ${because}\n`);
  ctx.setExitCode(code);
}

/** Says how many damages only the later inspection lists that need not be new. */
async function warnUncounted({ pairs }: Comparison, ctx: CliContext): Promise<void> {
  const only = pairs.filter(({ change, before }) => change === 'not_comparable' && before === null);
  const unseen = only.filter(({ reasons }) => reasons.includes('part_not_seen_before'));
  for (const [list, where] of [
    [unseen, 'where the earlier inspection has no photo of the place'],
    [
      only.filter((pair) => !unseen.includes(pair)),
      'that the earlier inspection may have had (see the table)',
    ],
  ] as const) {
    if (list.length === 0) continue;
    const damages = list.length === 1 ? '1 damage' : `${list.length} damages`;
    await write(ctx.stderr, `vehi: --fail-on does not count ${damages} ${where}.\n`);
  }
}

async function readInspection(
  name: string,
  ctx: CliContext,
): Promise<ReportSource & { inspection: InspectionEnvelope }> {
  const source = await readSource(name, ctx);
  if (source.inspection?.data.results) return { ...source, inspection: source.inspection };
  throw new VehiError('input', 'NOT_AN_INSPECTION', `${name} is not an inspection with results`, {
    hint: 'Give the JSON that vehi inspect --json printed.',
  });
}

async function renderPdf(
  comparison: Comparison,
  before: ReportSource,
  after: ReportSource,
  options: { flags: CompareFlags; generatedAt: Date },
  ctx: CliContext,
): Promise<Uint8Array> {
  const { flags, generatedAt } = options;
  const redaction = await openRedaction(flags, ctx);
  const pictures = {
    before: await makeReportPictures(before, flags.photosBefore, redaction, ctx)(),
    after: await makeReportPictures(after, flags.photosAfter, redaction, ctx)(),
  };
  await redaction.close();
  const { renderComparisonPdf } = await import('../../report/pdf/comparison.ts');
  return renderComparisonPdf(comparison, pictures, { ...(await readPageSettings(flags, ctx)), generatedAt });
}
