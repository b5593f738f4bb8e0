import type { Severity } from '../../domain/damage.ts';
import { FORMATTERS } from '../../report/formats/index.ts';
import type { ReportInput } from '../../report/input.ts';
import { gatherPictures, type ReportPictures } from '../../report/pictures.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';
import type { PageSettings } from './page-options.ts';
import type { Redaction } from './redaction.ts';
import type { ReportKind } from './report-kinds.ts';
import type { ReportSource } from './report-pictures.ts';
import { filePictures } from './report-pictures.ts';

/** The pictures of the report; every photo that cannot be shown is named on stderr. */
export async function picturesFor(
  source: ReportSource,
  photosFolder: string | undefined,
  redaction: Redaction,
  ctx: CliContext,
): Promise<ReportPictures> {
  const files = filePictures(source, photosFolder, redaction);
  try {
    const pictures = await gatherPictures(source, files);
    for (const [index, reason] of pictures.missing) {
      const url = source.inspection?.data.images.find((photo) => photo.index === index)?.url;
      await write(ctx.stderr, `vehi: ${url} is not shown: ${reason}\n`);
    }
    return pictures;
  } finally {
    await files.close();
  }
}

export interface RenderSettings extends PageSettings {
  readonly failOn: Severity | 'none';
  readonly generatedAt: Date;
}

/** A report of one kind; renderers are loaded when needed. */
export async function renderReport(
  kind: ReportKind,
  input: ReportInput,
  pictures: ReportPictures,
  settings: RenderSettings,
): Promise<string | Uint8Array> {
  if (kind === 'pdf') {
    const { renderPdf } = await import('../../report/pdf/document.ts');
    return renderPdf(input, pictures, settings);
  }
  if (kind === 'html') {
    const { renderHtml } = await import('../../report/html/document.ts');
    return renderHtml(input, pictures, settings);
  }
  if (kind === 'json') {
    const { jsonReport } = await import('../../report/json.ts');
    return `${JSON.stringify(jsonReport(input, settings.generatedAt), null, 2)}\n`;
  }
  return FORMATTERS[kind](input, { failOn: settings.failOn });
}
