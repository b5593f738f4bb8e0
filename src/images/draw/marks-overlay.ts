import type { Severity } from '../../domain/damage.ts';
import { type Box, clamp, clampToPixels, growBox, measureGap, type Size } from '../../domain/geometry.ts';
import { layOutLabels } from '../../domain/label-layout.ts';
import { chooseLook, LOOKS, type Look } from '../../domain/looks.ts';
import { drawTextPaths, LETTER_HEIGHT_EM, measureTextEm } from './label-glyphs.ts';

/** A damage to mark; `box` in pixels of the upright original. */
export interface Mark {
  readonly number: number;
  readonly box: Box;
  /** Name of the damage, as in the reports. */
  readonly words: string;
  readonly severity: Severity;
  /** True for a place to check, drawn dashed and in its own color. */
  readonly toCheck?: boolean;
}

/** Line width and font size relative to the long side: 3 and 19 pixels at 1280, 10 and 60 at 4000. */
const LINE_SHARE = 1 / 400;
const TEXT_SHARE = 0.015;
const MIN_LINE_PX = 2;
const MIN_TEXT_PX = 14;

/** Renders an SVG of the picture's size with box, number and label per mark; labels stay inside the picture. */
export function drawMarksOverlay(marks: readonly Mark[], picture: Size): string {
  const longSide = Math.max(picture.width, picture.height);
  const line = Math.max(MIN_LINE_PX, Math.round(longSide * LINE_SHARE));
  const drawn = marks.map((mark) => ({
    mark,
    text: describeMark(mark),
    frame: computeFrame(mark.box, line, picture),
  }));
  const widest = Math.max(1, ...drawn.map(({ text }) => measureTextEm(text)));
  const size = Math.min(Math.max(MIN_TEXT_PX, longSide * TEXT_SHARE), (picture.width * 0.95) / (widest + 1));
  const labels = layOutLabels(
    drawn.map((one) => ({
      ...one,
      target: growBox(one.frame, line),
      size: { width: (measureTextEm(one.text) + 0.7) * size, height: size * 1.5 },
    })),
    picture,
  );
  const boxes = drawn.map(({ mark, frame }) => drawBox(frame, line, chooseLook(mark)));
  const tags = labels.map(({ mark, text, frame, label }) => {
    const leader =
      measureGap(label, frame) > line * 3 ? drawLeader(label, frame, line, LOOKS[chooseLook(mark)].fill) : '';
    return leader + drawLabel(label, text, size, LOOKS[chooseLook(mark)]);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${picture.width}" height="${picture.height}">${boxes.join('')}${tags.join('')}</svg>`;
}

const describeMark = ({ number, words, severity, toCheck }: Mark): string =>
  toCheck ? `${number}? ${words} · to check` : `${number} ${words} · ${severity}`;

/** Computes the frame around a damage, of a minimum visible size and inside the picture. */
function computeFrame(box: Box, line: number, picture: Size): Box {
  const minSide = line * 6;
  const width = Math.max(minSide, box.width + line);
  const height = Math.max(minSide, box.height + line);
  const around = { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
  const inside = clampToPixels(around, picture);
  const inset = line / 2 + 1;
  const left = Math.max(inside.x, inset);
  const top = Math.max(inside.y, inset);
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.min(inside.x + inside.width, picture.width - inset) - left),
    height: Math.max(1, Math.min(inside.y + inside.height, picture.height - inset) - top),
  };
}

function drawBox(frame: Box, common: number, look: Look): string {
  const style = LOOKS[look];
  const line = Math.max(MIN_LINE_PX, common * style.weight);
  const { x, y, width, height } = frame;
  const at = `x="${x}" y="${y}" width="${width}" height="${height}" rx="${common}" fill="none"`;
  const dashes = style.dashes.map((dash) => dash * line).join(' ');
  const dashed = dashes === '' ? '' : ` stroke-dasharray="${dashes}"`;
  // A dark line below keeps the bright one visible on white paint; between dashes only the dark line shows.
  const shadow = `<rect ${at} stroke="#000000" stroke-opacity="0.7" stroke-width="${dashed === '' ? line + 2 : line}"/>`;
  const stroke = `<rect ${at} stroke="${style.fill}" stroke-width="${line}"${dashed}/>`;
  if (look !== 'critical') return shadow + stroke;
  return `${shadow}${stroke}<rect ${at} stroke="#ffffff" stroke-width="${Math.max(1, line / 3)}"/>`;
}

function drawLeader(label: Box, frame: Box, line: number, color: string): string {
  const fromX = label.x + label.width / 2;
  const fromY = label.y + label.height / 2;
  const to = `x2="${clamp(fromX, frame.x, frame.x + frame.width)}" y2="${clamp(fromY, frame.y, frame.y + frame.height)}"`;
  const at = `x1="${fromX}" y1="${fromY}" ${to}`;
  return `<line ${at} stroke="#000000" stroke-opacity="0.7" stroke-width="${line + 2}"/><line ${at} stroke="${color}" stroke-width="${line}"/>`;
}

function drawLabel(label: Box, text: string, size: number, style: (typeof LOOKS)[Look]): string {
  const baseline = label.y + (label.height + LETTER_HEIGHT_EM * size) / 2;
  const plate = `<rect x="${label.x}" y="${label.y}" width="${label.width}" height="${label.height}" rx="${size / 6}" fill="${style.fill}" stroke="#000000" stroke-opacity="0.7" stroke-width="${Math.max(1, size / 16)}"/>`;
  return `${plate}<g fill="${style.text}">${drawTextPaths(text, label.x + size * 0.35, baseline, size)}</g>`;
}
