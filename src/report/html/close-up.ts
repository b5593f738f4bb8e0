import type { ShownPicture } from '../content/blocks.ts';
import type { Picture } from '../pictures.ts';
import { drawCloseUpBox } from './figures.ts';
import { html, type Markup } from './markup.ts';

/** Renders a close-up with its bounding box. */
export function renderCloseUp({ picture, alt, missing, mark }: ShownPicture): Markup {
  if (!picture) return html`<span class="soft">${missing}</span>`;
  return html`<div class="crop"><img src="${makeDataUri(picture)}" alt="${alt}">${mark?.box && drawCloseUpBox(mark.region, mark.box, mark.look)}</div>`;
}

/** Encodes a picture as a data URI. */
export function makeDataUri(picture: Picture): string {
  return `data:image/jpeg;base64,${Buffer.from(picture.jpeg).toString('base64')}`;
}
