import type { Readable } from 'node:stream';
import type { Result } from '../../contract/result.ts';
import { toJsonText } from '../../lib/json.ts';
import { hideReadPlate } from '../../report/blurred-plates.ts';
import { NO_PICTURES } from '../../report/pictures.ts';
import type { OutputView } from './view.ts';

export type Content = string | Uint8Array | Readable;

/** Commands that print or write results of these kinds. */
export type OutputCommand = 'inspect' | 'assess' | 'report' | 'compare' | 'review';

interface KindFacts {
  /** Description for help and prompts. */
  readonly words: string;
  /** File extensions of the kind; the first is used for new files. */
  readonly endings: readonly [string, ...string[]];
  /** Commands that print the kind with `--format`; those of `RESULTS` unless given. */
  readonly printed?: readonly OutputCommand[];
  /** Commands that write the kind with `--output`; those of `RESULTS` unless given. */
  readonly written?: readonly OutputCommand[];
  /** True if the kind holds the whole result for programs, including what reports hide. */
  readonly isRecord?: boolean;
  /** Renders a result (comparisons are rendered by their command); text ends with a line break. */
  readonly render: (input: Result, view: OutputView) => Promise<Content>;
}

const RESULTS: readonly OutputCommand[] = ['inspect', 'assess', 'report'];

async function renderPdfReport(input: Result, view: OutputView): Promise<Uint8Array> {
  const { renderPdf } = await import('../../report/pdf/pdf-report.ts');
  return renderPdf(input, await gatherPictures(view), { ...view.page, generatedAt: view.now() });
}

const gatherPictures = async ({ pictures }: OutputView) => (await pictures?.()) ?? NO_PICTURES;

/** Hides a number plate read in photos if pictures blur it. */
function hideReadPlates(input: Result, { redaction }: OutputView): Result {
  const { inspection } = input;
  return inspection && redaction.isOn ? { ...input, inspection: hideReadPlate(inspection) } : input;
}

/** All output kinds; add a row to define one. */
export const KINDS = {
  table: {
    words: 'a table for the terminal',
    endings: ['.txt'],
    printed: [...RESULTS, 'compare'],
    render: async (input, view) => {
      const { listAnswerSections } = await import('../../report/content/answer.ts');
      const { renderTerminal } = await import('../../report/text/terminal.ts');
      return renderTerminal(listAnswerSections(input, view), view);
    },
  },
  json: {
    words: 'the whole result, as returned by the service',
    endings: ['.json'],
    printed: [...RESULTS, 'compare'],
    written: [...RESULTS, 'compare', 'review'],
    isRecord: true,
    render: async (input, view) => {
      if (!view.isJsonReport) return toJsonText(joinResult(input));
      const { makeJsonReport } = await import('../../report/json.ts');
      return toJsonText(makeJsonReport(input, view.now()));
    },
  },
  csv: {
    words: 'one row per finding, for spreadsheets',
    endings: ['.csv'],
    render: async (input, view) => (await import('../../report/formats/csv.ts')).formatCsv(input, view),
  },
  parts: {
    words: 'one row per part of the repair, for spreadsheets; the costs add up to the total',
    endings: ['.parts.csv'],
    render: async (input, view) => (await import('../../report/formats/csv.ts')).formatPartsCsv(input, view),
  },
  lines: {
    words: 'one row per line of the estimate, for spreadsheets',
    endings: ['.lines.csv'],
    printed: ['assess', 'report'],
    render: async (input, view) =>
      (await import('../../report/formats/lines.ts')).formatLinesCsv(input, view),
  },
  junit: {
    words: 'JUnit XML, one test per damage, for CI systems',
    endings: ['.xml'],
    render: async (input, view) => (await import('../../report/formats/junit.ts')).formatJunit(input, view),
  },
  github: {
    words: 'annotations of GitHub Actions',
    endings: ['.github.txt'],
    render: async (input, view) => (await import('../../report/formats/github.ts')).formatGithub(input, view),
  },
  markdown: {
    words: 'a summary for a pull request or an issue',
    endings: ['.md'],
    render: async (input, view) =>
      (await import('../../report/formats/markdown.ts')).formatMarkdown(input, view),
  },
  pdf: {
    words: 'a report with photos, for the claim file',
    endings: ['.pdf'],
    printed: ['report'],
    written: [...RESULTS, 'compare'],
    render: renderPdfReport,
  },
  html: {
    words: 'the same as a single web page with embedded pictures',
    endings: ['.html', '.htm'],
    printed: ['report'],
    written: [...RESULTS, 'compare'],
    render: async (input, view) => {
      const { renderHtml } = await import('../../report/html/html-report.ts');
      return renderHtml(input, await gatherPictures(view), { ...view.page, generatedAt: view.now() });
    },
  },
  evidence: {
    words: 'a signed file with photos, result and report, as evidence (vehi verify)',
    endings: ['.zip'],
    printed: [],
    written: ['inspect', 'report', 'compare'],
    isRecord: true,
    render: async (input, view) => {
      const { renderEvidence } = await import('./evidence.ts');
      return renderEvidence(input, view, {
        'result.json': toJsonText(joinResult(input)),
        'report.pdf': await renderPdfReport(hideReadPlates(input, view), view),
      });
    },
  },
} as const satisfies Record<string, KindFacts>;

export type OutputKind = keyof typeof KINDS;
const ROWS: Readonly<Record<OutputKind, KindFacts>> = KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly OutputKind[];

export const listKinds = (use: 'printed' | 'written', command: OutputCommand): readonly OutputKind[] =>
  KIND_NAMES.filter((kind) => (ROWS[kind][use] ?? RESULTS).includes(command));

/** Returns the kind for a file extension, longest match first; undefined if none matches. */
export function findKindByEnding(path: string): OutputKind | undefined {
  const name = path.toLowerCase();
  const matches = KIND_NAMES.flatMap((kind) =>
    KINDS[kind].endings.filter((ending) => name.endsWith(ending)).map((ending) => ({ kind, ending })),
  );
  return matches.sort((a, b) => b.ending.length - a.ending.length)[0]?.kind;
}

/** Renders a result as one kind. @throws VehiError usage EVIDENCE_NEEDS_PHOTOS for evidence without an inspection */
export async function renderResult<K extends OutputKind>(
  kind: K,
  input: Result,
  view: OutputView,
): Promise<Awaited<ReturnType<(typeof KINDS)[K]['render']>>> {
  const shown = ROWS[kind].isRecord ? input : hideReadPlates(input, view);
  return (await KINDS[kind].render(shown, view)) as Awaited<ReturnType<typeof renderResult<K>>>;
}

/** Joins a result into the document that the service returns: the inspection, with its assessment if there is one. */
const joinResult = ({ inspection, assessment }: Result): unknown =>
  inspection && assessment ? { ...inspection, assessment } : (inspection ?? assessment);
