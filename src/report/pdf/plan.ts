import { type Box, intersection } from '../../domain/geometry.ts';
import type { PartName } from '../../domain/parts.ts';
import { PLAN_BASE_COLOUR, SEVERITY_COLOUR } from '../colours.ts';
import { numbersLabel, type PartMark, type PlanView } from '../plan/plan.ts';
import type { Sheet } from './sheet.ts';
import { COLOUR, STYLE, type TextStyle } from './theme.ts';

/** Height of a view when it is drawn `width` points wide, its title included. */
export function viewHeight(view: PlanView, width: number): number {
  return 11 + (view.size.height * width) / view.size.width;
}

/** Draws one view of the vehicle plan: damaged parts tinted by their worst severity, with their damages' numbers. */
export function drawView(
  sheet: Sheet,
  view: PlanView,
  marks: ReadonlyMap<PartName, PartMark>,
  x: number,
  y: number,
  width: number,
): void {
  const { doc } = sheet;
  const scale = width / view.size.width;
  sheet.text.put([view.title], STYLE.label, x, y);
  doc
    .save()
    .translate(x, y + 11)
    .scale(scale)
    .lineWidth(0.9)
    .lineJoin('round');
  for (const shape of view.shapes) {
    const mark = shape.part ? marks.get(shape.part) : undefined;
    doc.save().transform(...shape.matrix);
    doc
      .path(shape.path)
      .fillAndStroke(
        mark ? SEVERITY_COLOUR[mark.severity].fill : PLAN_BASE_COLOUR[shape.kind],
        mark ? COLOUR.ink : '#7c8794',
      );
    doc.restore();
  }
  doc.restore();
  const labels: Label[] = [];
  for (const shape of view.shapes) {
    const mark = shape.part ? marks.get(shape.part) : undefined;
    if (!mark || !shape.at) continue;
    const at = { x: x + shape.at[0] * scale, y: y + 11 + shape.at[1] * scale };
    labels.push(placeLabel(sheet, mark, at, { from: x, to: x + width }, labels));
  }
  for (const label of labels) drawLabel(sheet, label);
}

/** The numbers of a part's damages on the plan; the box is in points. */
interface Label extends Box {
  readonly text: string;
}

const LABEL_STYLE: TextStyle = { font: 'bold', size: 6.4, colour: COLOUR.ink };
const LABEL_HEIGHT = 9.2;

/** A label centred on a point, kept between two edges, moved up or down where another one is in the way. */
function placeLabel(
  sheet: Sheet,
  mark: PartMark,
  at: { x: number; y: number },
  edges: { from: number; to: number },
  placed: readonly Label[],
): Label {
  const text = numbersLabel(mark.numbers);
  const width = sheet.text.widthOf(text, LABEL_STYLE) + 5;
  const x = Math.min(Math.max(edges.from, at.x - width / 2), edges.to - width);
  const tries = [0, 1, -1, 2, -2, 3, -3].map((step) => ({
    text,
    x,
    y: at.y - LABEL_HEIGHT / 2 + step * (LABEL_HEIGHT + 1),
    width,
    height: LABEL_HEIGHT,
  }));
  return tries.find((one) => placed.every((other) => intersection(one, other) === 0)) ?? (tries[0] as Label);
}

function drawLabel(sheet: Sheet, { text, x, y, width, height }: Label): void {
  sheet.doc.roundedRect(x, y, width, height, 3).lineWidth(0.5).fillAndStroke(COLOUR.white, COLOUR.ink);
  sheet.text.put([text], LABEL_STYLE, x, y + 0.6, { width, to: 'center' });
}
