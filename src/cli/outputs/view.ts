import type { ColorSupportLevel } from 'chalk';
import type { InspectedResult } from '../../contract/result.ts';
import type { Severity } from '../../domain/damage.ts';
import type { Comparison } from '../../engine/compare/comparison.ts';
import type { NextCommands } from '../../report/headline.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import { NO_PICTURES } from '../../report/pictures.ts';
import type { CliContext } from '../terminal/context.ts';
import { countColumns, FILE_COLUMNS } from '../terminal/output.ts';
import { quoteCommandLine } from '../terminal/shell-words.ts';
import type { PageSettings } from './run.ts';

/** Documents of a comparison with an earlier inspection, for an evidence file. */
export interface ComparedDocuments {
  readonly before: InspectedResult;
  readonly comparison: Comparison;
  readonly json: () => string;
  readonly pdf: () => Promise<Uint8Array>;
}

/** Additional inputs of evidence files. */
interface EvidenceRun {
  /** Environment that locates the user's key. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Photo folder given by the user. */
  readonly photos?: string | undefined;
  readonly compared?: ComparedDocuments | undefined;
}

/** Rendering options of a result for all output kinds. */
export interface OutputView {
  readonly colour: ColorSupportLevel;
  /** Width of the terminal or of the lines of a file. */
  readonly columns: number;
  readonly quiet: boolean;
  /** Adds every repair option, the lines, the totals and the value of an assessment. */
  readonly options: boolean;
  /** Adds the rules that fired for the recommended repairs. */
  readonly explain: boolean;
  /** Adds codes and the measured values behind photo remarks. */
  readonly verbose: boolean;
  /** Lists every place to check. */
  readonly all: boolean;
  /** Minimum severity of a failing finding in JUnit and GitHub annotations. */
  readonly failOn: Severity | 'none';
  /** True if a place to check also fails in JUnit (`--fail-on unchecked`). */
  readonly failOnToCheck?: boolean | undefined;
  /** Suggested next commands. */
  readonly next?: NextCommands | undefined;
  /** JSON format: the result as the service returns it, or its report. */
  readonly json: 'result' | 'report';
  /** PDF page settings. */
  readonly page: PageSettings;
  /** Clock for report times. */
  readonly now: () => Date;
  /** Returns the report pictures, created on first use. */
  readonly pictures: () => Promise<ReportPictures>;
  /** True if pictures show number plates (`--redact off`), so that one read in photos may be named. */
  readonly showsPlates: boolean;
  /** Additional inputs of evidence files; undefined without one. */
  readonly evidence?: EvidenceRun | undefined;
}

/** Options shared by the outputs of a run. */
export type RunView = Pick<OutputView, 'failOn' | 'page' | 'now'> &
  Partial<Omit<OutputView, 'colour' | 'columns'>>;

const DEFAULTS = {
  json: 'result',
  pictures: async () => NO_PICTURES,
  quiet: false,
  showsPlates: false,
  options: false,
  explain: false,
  verbose: false,
  all: false,
} as const satisfies Partial<OutputView>;

/** Creates the view for files: without colour, unabridged, 120 columns wide. */
export function createFileView(run: RunView): OutputView {
  return { ...DEFAULTS, ...run, quiet: false, colour: 0, columns: FILE_COLUMNS };
}

/** Creates the view for stdout, with the terminal's colours and width if it is one. */
export function createScreenView(run: RunView, ctx: CliContext): OutputView {
  return { ...DEFAULTS, ...run, colour: ctx.colour.stdout, columns: countColumns(ctx) };
}

/** Returns the suggested next commands for a result file or id. */
export function nameNextCommands(result: string): NextCommands {
  return {
    review: quoteCommandLine(['vehi', 'review', result]),
    report: quoteCommandLine(['vehi', 'report', result]),
  };
}
