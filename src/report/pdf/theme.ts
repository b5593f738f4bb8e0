import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PageSize } from '../../domain/page-size.ts';
import { COLOR } from '../palette.ts';

/** Width and height of a page in points. */
export const PAGE_POINTS = { A4: [595.28, 841.89], Letter: [612, 792] } as const satisfies Record<
  PageSize,
  unknown
>;
/** Page margins in points; header and footer lie in the top and bottom margins. */
export const MARGIN = { top: 62, bottom: 54, left: 44, right: 44 } as const;

export interface TextStyle {
  readonly font: 'regular' | 'bold';
  /** Size in points. */
  readonly size: number;
  readonly color: string;
}

export const STYLE = {
  title: { font: 'bold', size: 22, color: COLOR.accent },
  subtitle: { font: 'regular', size: 11.5, color: COLOR.soft },
  h1: { font: 'bold', size: 14, color: COLOR.accent },
  h2: { font: 'bold', size: 10.5, color: COLOR.ink },
  body: { font: 'regular', size: 9, color: COLOR.ink },
  bold: { font: 'bold', size: 9, color: COLOR.ink },
  soft: { font: 'regular', size: 8.5, color: COLOR.soft },
  label: { font: 'regular', size: 7.5, color: COLOR.soft },
  cell: { font: 'regular', size: 8.2, color: COLOR.ink },
  cellBold: { font: 'bold', size: 8.2, color: COLOR.ink },
  head: { font: 'bold', size: 7.8, color: COLOR.accent },
  fine: { font: 'regular', size: 8, color: COLOR.ink },
  small: { font: 'regular', size: 7, color: COLOR.faint },
} as const satisfies Record<string, TextStyle>;

const FONTS = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');

/** DejaVu Sans Condensed fonts (Latin, Greek, Cyrillic and more), embedded as subsets. */
export const FONT_FILES = {
  regular: join(FONTS, 'DejaVuSansCondensed.ttf'),
  bold: join(FONTS, 'DejaVuSansCondensed-Bold.ttf'),
} as const satisfies Record<TextStyle['font'], string>;

/** Line height as a multiple of the font size. */
export const LINE_HEIGHT = 1.28;
