import type { ColorSupportLevel } from 'chalk';
import type { Severity } from '../../domain/damage.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import { NO_PICTURES } from '../../report/pictures.ts';
import { countColumns } from '../terminal/columns.ts';
import type { CliContext } from '../terminal/context.ts';
import type { PageSettings } from './page-options.ts';

/** How a result is shown, whatever the kind of output. */
export interface OutputView {
  readonly colour: ColorSupportLevel;
  /** Width of the terminal, or of the lines of a file. */
  readonly columns: number;
  readonly quiet: boolean;
  /** Also the operations of the recommended repairs and the rules that fired. */
  readonly explain: boolean;
  /** Also codes, and the figures that photos were judged by. */
  readonly verbose: boolean;
  /** Severity from which a finding fails in JUnit, SARIF and GitHub's annotations. */
  readonly failOn: Severity | 'none';
  /** Whether a place to check fails in JUnit, too (`--fail-on-unchecked`). */
  readonly failOnUnchecked?: boolean | undefined;
  /** Where a photo lies, as CI systems resolve it (SARIF); default: its address in the result. */
  readonly addressOf?: ((url: string) => string) | undefined;
  /** Whether JSON is the result itself, as the service answers it, or the report of it. */
  readonly json: 'result' | 'report';
  /** How PDFs are made. */
  readonly page: PageSettings;
  /** The time written into reports. */
  readonly now: () => Date;
  /** The pictures of reports; made when first asked for. */
  readonly pictures: () => Promise<ReportPictures>;
}

/** What the outputs of one run share. */
export type RunView = Pick<OutputView, 'failOn' | 'page' | 'now'> &
  Partial<
    Pick<OutputView, 'failOnUnchecked' | 'addressOf' | 'json' | 'pictures' | 'quiet' | 'explain' | 'verbose'>
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
    colour: 0,
    columns: 120,
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
    colour: ctx.colour.stdout,
    columns: countColumns(ctx),
  };
}
