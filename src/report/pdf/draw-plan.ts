import { LOOKS } from '../../domain/looks.ts';
import { COLOR } from '../palette.ts';
import { placeLabels } from '../plan/labels.ts';
import type { Plan, PlanView } from '../plan/plan.ts';
import { PLAN_STYLE } from '../plan/shapes.ts';
import type { Sheet } from './sheet.ts';
import { STYLE, type TextStyle } from './theme.ts';

/** Height of a view's title in points. */
const VIEW_TITLE_HEIGHT = 11;

/** Computes the height of a view drawn `width` points wide, including its title, in points. */
export function computeViewHeight(view: PlanView, width: number): number {
  return VIEW_TITLE_HEIGHT + (view.size.height * width) / view.size.width;
}

/** Draws one view of the plan with the finding numbers that fit; `x`, `y`: top left corner in points. */
export function drawView(
  sheet: Sheet,
  view: PlanView,
  { marks, unseen }: Pick<Plan, 'marks' | 'unseen'>,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): void {
  const { doc } = sheet;
  const scale = width / view.size.width;
  sheet.text.put([view.title], STYLE.label, x, y);
  doc
    .save()
    .translate(x, y + VIEW_TITLE_HEIGHT)
    .scale(scale)
    .lineWidth(0.9)
    .lineJoin('round');
  for (const shape of view.shapes) {
    const mark = shape.part ? marks.get(shape.part) : undefined;
    doc.save().transform(...shape.matrix);
    doc
      .path(shape.path)
      .fillAndStroke(
        mark?.severity ? LOOKS[mark.severity].fill : PLAN_STYLE.base[shape.kind],
        mark ? COLOR.ink : PLAN_STYLE.outline,
      );
    if (shape.part && unseen.has(shape.part)) hatch(sheet, shape.path, view.size);
    if (mark && mark.severity === null)
      doc.path(shape.path).lineWidth(1.6).dash(4, { space: 3 }).stroke(COLOR.ink).undash().lineWidth(0.9);
    doc.restore();
  }
  doc.restore();
  const size = {
    height: LABEL_HEIGHT / scale,
    measureWidth: (text: string) => (sheet.text.measureWidth(text, LABEL_STYLE) + 5) / scale,
  };
  for (const { text, ...label } of placeLabels(view, marks, size)) {
    const [left, top] = [x + label.x * scale, y + VIEW_TITLE_HEIGHT + label.y * scale];
    const labelWidth = label.width * scale;
    doc
      .roundedRect(left, top, labelWidth, LABEL_HEIGHT, 3)
      .lineWidth(0.5)
      .fillAndStroke(COLOR.white, COLOR.ink);
    sheet.text.put([text], LABEL_STYLE, left, top + 0.6, { width: labelWidth, to: 'center' });
  }
}

/** Hatches a shape in its own coordinate system. */
function hatch({ doc }: Sheet, path: string, { width, height }: PlanView['size']): void {
  const { spacing, color } = PLAN_STYLE.hatch;
  doc.save();
  doc.path(path).clip();
  for (let x = -height; x < width; x += spacing) doc.moveTo(x, height).lineTo(x + height, 0);
  doc.lineWidth(0.8).strokeColor(color).stroke();
  doc.restore();
}

const LABEL_STYLE: TextStyle = { font: 'bold', size: 6.4, color: COLOR.ink };
/** Height in points. */
const LABEL_HEIGHT = 9.2;
