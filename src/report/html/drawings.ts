import type { Photo } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import { layOutLabels } from '../../domain/label-layout.ts';
import { LOOKS, type Look } from '../../domain/looks.ts';
import type { FindingRef, ShownPicture } from '../content/blocks.ts';
import { formatFindingNumber } from '../figures.ts';
import type { PhotoFinding } from '../finding-rows.ts';
import { COLOR } from '../palette.ts';
import type { Picture } from '../pictures.ts';
import { placeLabels } from '../plan/labels.ts';
import type { Plan, PlanView } from '../plan/plan.ts';
import { PLAN_STYLE } from '../plan/shapes.ts';
import type { Translator } from '../translator.ts';
import { nameFinding } from '../words.ts';
import { html, type Markup } from './markup.ts';

/** Returns the attributes by which the script filters rows and cards, and links cards with bounding boxes. */
export const writeFindingAttributes = ({ id, number, look }: Omit<FindingRef, 'label'>) =>
  html`data-damage="${id}" data-number="${number}" data-severity="${look}"`;

/** Draws the pattern of unseen parts, which all plans of a page refer to. */
export function drawHatch(): Markup {
  const { spacing, color } = PLAN_STYLE.hatch;
  const size = html`width="${spacing}" height="${spacing}"`;
  return html`
    <svg width="0" height="0" class="defs" aria-hidden="true"><defs>
      <pattern id="unseen" ${size} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line x1="0" y1="0" x2="0" y2="${spacing}" stroke="${color}" stroke-width="1.6"/>
      </pattern>
    </defs></svg>`;
}

/** Draws the plan of the vehicle, one SVG per view. */
export function drawPlan(plan: Plan): Markup {
  const views = plan.views.map((view) => drawView(view, plan));
  return html`<div class="plan" role="img" aria-label="${plan.words}">${views}</div>`;
}

/** Label size for 11 px type. */
const LABEL_SIZE = { height: 16, measureWidth: (text: string) => text.length * 6.4 + 8 };

function drawView(view: PlanView, { marks, unseen }: Plan): Markup {
  const { width, height } = view.size;
  const shapes = view.shapes.map((shape) => {
    const mark = shape.part ? marks.get(shape.part) : undefined;
    const at = html`transform="matrix(${shape.matrix.join(' ')})" d="${shape.path}"`;
    const state = mark ? (mark.severity ? ' hit' : ' hit check') : '';
    const fill = mark?.severity ? LOOKS[mark.severity].fill : PLAN_STYLE.base[shape.kind];
    const hatched = shape.part !== null && unseen.has(shape.part);
    return html`
      <path class="outline${state}" ${at} fill="${fill}"/>
      ${hatched && html`<path ${at} fill="url(#unseen)"/>`}`;
  });
  const labels = placeLabels(view, marks, LABEL_SIZE).map(({ text, ...box }) => {
    const at = html`x="${box.x + box.width / 2}" y="${box.y + 12}"`;
    return html`
      <rect ${writeBox(box)} rx="5" fill="${COLOR.white}" stroke="${COLOR.ink}"/>
      <text ${at} font-size="11" text-anchor="middle" fill="${COLOR.ink}">${text}</text>`;
  });
  return html`
    <figure aria-hidden="true">
      <figcaption>${view.title}</figcaption>
      <svg viewBox="-2 -2 ${width + 4} ${height + 4}">${shapes}${labels}</svg>
    </figure>`;
}

const writeBox = ({ x, y, width, height }: Box) =>
  html`x="${x}" y="${y}" width="${width}" height="${height}"`;

/** Draws a bounding box over a close-up that fills its frame, both in pixels of the upright photo. */
export function drawCloseUpBox(region: Box, box: Box, look: Look | 'listed' | 'unlisted'): Markup {
  const shown = html`viewBox="${region.x} ${region.y} ${region.width} ${region.height}"`;
  return html`
    <svg class="mark ${look}" aria-hidden="true" ${shown} preserveAspectRatio="xMidYMid slice">
      <rect class="halo" ${writeBox(box)}/><rect class="edge" ${writeBox(box)}/>
    </svg>`;
}

export function renderCloseUp({ picture, alt, missing, mark }: ShownPicture): Markup {
  if (!picture) return html`<span class="soft">${missing}</span>`;
  return drawCrop(picture, alt, mark?.box && drawCloseUpBox(mark.region, mark.box, mark.look));
}

export const drawCrop = (picture: Picture, alt: string, box: Markup | undefined): Markup =>
  html`<div class="crop"><img src="${makeDataUri(picture)}" alt="${alt}">${box}</div>`;

export function makeDataUri(picture: Picture): string {
  return `data:image/jpeg;base64,${Buffer.from(picture.jpeg).toString('base64')}`;
}

/** Tag height as a fraction of the photo's long side: 10 pixels on a phone, 15 on a desktop. */
const TAG_SHARE = 1 / 34;

/** Draws numbered bounding boxes over a photo, in pixels of the upright photo, without overlapping tags. */
export function drawBoxes(photo: Photo, findings: readonly PhotoFinding[], t: Translator): Markup {
  const size = Math.round(Math.max(photo.width, photo.height) * TAG_SHARE);
  const tags = findings.map((finding) => {
    const text = formatFindingNumber({ number: finding.damage.number, toCheck: finding.toCheck });
    const width = Math.round(size * (0.7 + 0.62 * text.length));
    return { ...finding, text, target: finding.box, size: { width, height: Math.round(size * 1.2) } };
  });
  const boxes = layOutLabels(tags, photo).map(({ box, damage, toCheck, text, label }) => {
    const { damage_id: id, number } = damage;
    const look = toCheck ? 'to_check' : damage.severity;
    const what = nameFinding({ ...damage, ...damage.location }, t);
    const name = toCheck ? t`To check, no. ${number}: ${what}` : t`Damage no. ${number}: ${what}`;
    const control = html`tabindex="0" role="button" aria-label="${name}. ${t`Show in the list`}"`;
    const at = html`x="${label.x + label.width / 2}" y="${label.y + size * 0.95}"`;
    return html`
      <g class="box ${look}" ${writeFindingAttributes({ id, number, look })} ${control}>
        <title>${name}</title>
        <rect class="halo" ${writeBox(box)}/><rect class="edge" ${writeBox(box)}/>
        <rect class="tag" ${writeBox(label)}/>
        <text ${at} font-size="${size}" text-anchor="middle">${text}</text>
      </g>`;
  });
  return html`<svg viewBox="0 0 ${photo.width} ${photo.height}" preserveAspectRatio="none">${boxes}</svg>`;
}
