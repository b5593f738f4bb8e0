import type { Result } from '../../contract/result.ts';
import type { DamageRow } from '../input.ts';
import type { ReportPictures } from '../pictures.ts';
import type { Sheet } from './sheet.ts';

/** What every section of the PDF draws from. */
export interface PdfContext {
  readonly sheet: Sheet;
  readonly input: Result;
  readonly rows: readonly DamageRow[];
  /** Places to check. */
  readonly checks: readonly DamageRow[];
  readonly pictures: ReportPictures;
  readonly generatedAt: Date;
}
