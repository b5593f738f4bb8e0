import type { AnswerDetail } from '../../report/content/details.ts';
import type { FormatOptions } from '../../report/formats/format.ts';
import type { NextCommands } from '../../report/headline.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import type { TerminalOptions } from '../../report/text/terminal.ts';
import { FILE_COLUMNS } from '../terminal/output.ts';
import { quoteCommandLine } from '../terminal/shell-words.ts';
import type { Run } from './run.ts';

/** How the outputs of a run present its result; an absent field is off. */
export interface RunView extends AnswerDetail, FormatOptions, Pick<Run, 'now' | 'page' | 'ctx'> {
  /** True for the JSON report instead of the result as the service returns it. */
  readonly isJsonReport?: boolean;
  /** Blurring of plates; if it is off, outputs may name a plate read in photos. */
  readonly redaction: Pick<Run['redaction'], 'isOn'>;
  readonly pictures?: () => Promise<ReportPictures>;
  /** Folder of the photos given by the user, for evidence files. */
  readonly photosFolder?: string | undefined;
  /** Documents of a comparison to include in an evidence file, keyed by their name there, and its summary. */
  readonly compared?: {
    readonly files: Readonly<Record<string, string | Uint8Array>>;
    readonly summary: string;
  };
}

export interface OutputView extends RunView, TerminalOptions {}

/** Creates the view for files: without color, `FILE_COLUMNS` wide, whatever `--quiet` and `--verbose` say. */
export function makeFileView(view: RunView): OutputView {
  return { ...view, quiet: false, verbose: false, color: 0, columns: FILE_COLUMNS };
}

export function nameNextCommands(result: string): NextCommands {
  return {
    review: quoteCommandLine(['vehi', 'review', result]),
    report: quoteCommandLine(['vehi', 'report', result]),
  };
}
