import type { VisitsDocument } from '../../report/compare/sections.ts';
import type { FlagsOf } from '../commands.ts';
import type { OutputKind } from '../outputs/kinds.ts';
import type { Run } from '../outputs/run.ts';

export type CompareRun = Run<Omit<FlagsOf<'compare'>, 'failOn'>>;

/** Renders a comparison or a checklist as HTML, or else as PDF. */
export async function renderVisits(
  kind: OutputKind,
  document: VisitsDocument,
  { page }: Pick<Run, 'page'>,
  generatedAt: Date,
): Promise<string | Uint8Array> {
  const options = { ...page, generatedAt };
  if (kind === 'html')
    return (await import('../../report/html/comparison.ts')).renderVisitsHtml(document, options);
  return (await import('../../report/pdf/comparison.ts')).renderVisitsPdf(document, options);
}
