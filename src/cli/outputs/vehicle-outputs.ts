import type { Severity } from '../../domain/damage.ts';
import type { InspectedCar } from '../inspect/inspect-and-assess.ts';
import type { CliContext } from '../terminal/context.ts';
import { type Output, renderInspection } from './inspection-output.ts';
import type { PageSettings } from './page-options.ts';
import type { Redaction } from './redaction.ts';

/** What the files of a run share. */
export interface FileView {
  /** Severity from which a finding fails in JUnit, SARIF and GitHub's annotations. */
  readonly failOn: Severity | 'none';
  /** What is blurred in the pictures. */
  readonly redaction: Redaction;
  /** How PDFs are made. */
  readonly page: PageSettings;
  /** The time written into reports. */
  readonly now: () => Date;
}

/** The content of one output file of an inspected vehicle; a photo that a report cannot show is named on stderr. */
export async function contentOf(
  car: InspectedCar,
  kind: Output['kind'],
  view: FileView,
  ctx: CliContext,
): Promise<string | Uint8Array> {
  const { failOn } = view;
  if (kind !== 'pdf' && kind !== 'html')
    return renderInspection(car, kind, { colour: 0, columns: 120, quiet: false, failOn });
  const { picturesFor, renderReport } = await import('./render-report.ts');
  const source = { ...car, folders: [ctx.cwd], photoPaths: pathsOf(car) };
  const pictures = await picturesFor(source, undefined, view.redaction, ctx);
  return renderReport(kind, source, pictures, { ...view.page, failOn, generatedAt: view.now() });
}

/** Keeps the results of a vehicle for `vehi history`, `report` and `compare`. */
export async function keepResults(car: InspectedCar, ctx: CliContext): Promise<void> {
  const { saveResult } = await import('../results/results.ts');
  await saveResult(car.inspection, new Map(Object.entries(pathsOf(car))), ctx);
  if (car.assessment) await saveResult(car.assessment, new Map(), ctx);
}

function pathsOf({ photos }: InspectedCar): Record<string, string> {
  return Object.fromEntries(
    photos.flatMap(({ url, source }) => (source.kind === 'file' ? [[url, source.path]] : [])),
  );
}
