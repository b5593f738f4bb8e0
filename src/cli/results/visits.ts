import type { VisitsDocument } from '../../report/compare/sections.ts';
import type { Run } from '../outputs/run.ts';

export async function renderVisits(
  kind: 'html' | 'pdf',
  document: VisitsDocument,
  { page }: Pick<Run, 'page'>,
  generatedAt: Date,
): Promise<string | Uint8Array> {
  const options = { ...page, generatedAt };
  if (kind === 'html')
    return (await import('../../report/html/comparison.ts')).renderVisitsHtml(document, options);
  return (await import('../../report/pdf/comparison.ts')).renderVisitsPdf(document, options);
}
