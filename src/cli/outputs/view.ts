import type { ColorSupportLevel } from 'chalk';
import type { InspectedResult } from '../../contract/result.ts';
import type { Severity } from '../../domain/damage.ts';
import type { NextCommands } from '../../report/headline.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import { NO_PICTURES } from '../../report/pictures.ts';
import { COLUMNS_ELSEWHERE, countColumns } from '../terminal/columns.ts';
import type { CliContext } from '../terminal/context.ts';
import { showsLinks } from '../terminal/links.ts';
import type { PageSettings } from './page-options.ts';

/** A comparison with an earlier inspection, as it goes into an evidence file. */
export interface ComparedDocuments {
  readonly before: InspectedResult;
  readonly json: () => string;
  readonly pdf: () => Promise<Uint8Array>;
}

/** What evidence files need besides the result. */
interface EvidenceRun {
  /** Where the user's own key is found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the photos that was named. */
  readonly photos?: string | undefined;
  readonly compared?: ComparedDocuments | undefined;
}

/** How a result is shown, whatever the kind of output. */
export interface OutputView {
  readonly colour: ColorSupportLevel;
  /** Width of the terminal, or of the lines of a file. */
  readonly columns: number;
  readonly quiet: boolean;
  /** Also the rules that fired for the recommended repairs. */
  readonly explain: boolean;
  /** Also codes, and the figures that photos were judged by. */
  readonly verbose: boolean;
  /** Severity from which a finding fails in JUnit, SARIF and GitHub's annotations. */
  readonly failOn: Severity | 'none';
  /** Whether a place to check fails in JUnit, too (`--fail-on unchecked`). */
  readonly failOnUnchecked?: boolean | undefined;
  /** Where a photo lies, as CI systems resolve it (SARIF); default: its address in the result. */
  readonly addressOf?: ((url: string) => string) | undefined;
  /** Where a photo opens, for terminals that show links; undefined elsewhere. */
  readonly linkTo?: ((url: string) => string) | undefined;
  /** What is typed to go on with the result. */
  readonly next?: NextCommands | undefined;
  /** Whether JSON is the result itself, as the service answers it, or the report of it. */
  readonly json: 'result' | 'report';
  /** How PDFs are made. */
  readonly page: PageSettings;
  /** The time written into reports. */
  readonly now: () => Date;
  /** The pictures of reports; made when first asked for. */
  readonly pictures: () => Promise<ReportPictures>;
  /** What evidence files need besides; absent where none is written. */
  readonly evidence?: EvidenceRun | undefined;
}

/** What the outputs of one run share. */
export type RunView = Pick<OutputView, 'failOn' | 'page' | 'now'> &
  Partial<
    Pick<
      OutputView,
      | 'failOnUnchecked'
      | 'addressOf'
      | 'linkTo'
      | 'next'
      | 'json'
      | 'pictures'
      | 'quiet'
      | 'explain'
      | 'evidence'
      | 'verbose'
    >
  >;

const makeNoPictures = async () => NO_PICTURES;

/** Returns how results are written to files: without colour, whole, 120 columns wide. */
export function createFileView(run: RunView): OutputView {
  return {
    json: 'result',
    pictures: makeNoPictures,
    explain: false,
    verbose: false,
    ...run,
    quiet: false,
    linkTo: undefined,
    colour: 0,
    columns: COLUMNS_ELSEWHERE,
  };
}

/** Returns how results are written to stdout: in the colours and the width of the terminal where it is one. */
export function createScreenView(run: RunView, ctx: CliContext): OutputView {
  return {
    json: 'result',
    pictures: makeNoPictures,
    quiet: false,
    explain: false,
    verbose: false,
    ...run,
    linkTo: showsLinks(ctx) ? run.linkTo : undefined,
    colour: ctx.colour.stdout,
    columns: countColumns(ctx),
  };
}

/** Returns what is typed to go on with a result, by its file or its id. */
export function nameNextCommands(result: string): NextCommands {
  const name = /^[\w./@+-]+$/.test(result) ? result : `'${result.replaceAll("'", "'\\''")}'`;
  return { review: `vehi review ${name}`, report: `vehi report ${name}` };
}
