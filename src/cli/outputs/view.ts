import type { AnswerDetail } from '../../report/content/details.ts';
import type { FormatOptions } from '../../report/formats/format.ts';
import type { NextCommands } from '../../report/headline.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import type { TerminalOptions } from '../../report/text/terminal.ts';
import type { CliContext } from '../terminal/context.ts';
import { countColumns, FILE_COLUMNS } from '../terminal/output.ts';
import { quoteCommandLine } from '../terminal/shell-words.ts';
import type { Run } from './run.ts';

/** How the outputs of a run show its result; what is absent is off. */
export interface RunView extends AnswerDetail, FormatOptions, Pick<Run, 'now' | 'page' | 'env'> {
  /** True for the report as JSON instead of the result as the service returns it. */
  readonly isJsonReport?: boolean;
  /** Blurring of plates; where it is off, a plate read in photos may be named. */
  readonly redaction: Pick<Run['redaction'], 'isOn'>;
  /** Returns the report pictures, created on first use. */
  readonly pictures?: () => Promise<ReportPictures>;
  /** Folder of the photos given by the user, for evidence files. */
  readonly photosFolder?: string | undefined;
  /** Comparison with an earlier inspection that an evidence file holds. */
  readonly compared?: ComparedDocuments;
}

/** Documents of a comparison by their names in an evidence file, and their gist in a sentence. */
interface ComparedDocuments {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly summary: string;
}

/** How one output shows the result. */
export interface OutputView extends RunView, TerminalOptions {}

/** Creates the view for files: without color, unabridged, 120 columns wide. */
export function makeFileView(view: RunView): OutputView {
  return { ...view, quiet: false, verbose: false, all: false, color: 0, columns: FILE_COLUMNS };
}

/** Creates the view for stdout, with the terminal's colors and width if it is one. */
export function makeScreenView(view: RunView, ctx: CliContext): OutputView {
  return { ...view, color: ctx.color.stdout, columns: countColumns(ctx) };
}

/** Returns the suggested next commands for a result file. */
export function nameNextCommands(result: string): NextCommands {
  return {
    review: quoteCommandLine(['vehi', 'review', result]),
    report: quoteCommandLine(['vehi', 'report', result]),
  };
}
