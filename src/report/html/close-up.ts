import type { DamageRow } from '../input.ts';
import { findMainEvidence, type Picture, type ReportPictures } from '../pictures.ts';
import { closeUpBoxSvg } from './figures.ts';
import { html, type Markup } from './markup.ts';

/** Returns how a find is shown: by its severity, or as a place to check. */
export function chooseLook(row: DamageRow): DamageRow['severity'] | 'to_check' {
  return row.toCheck ? 'to_check' : row.severity;
}

/** Renders the close-up of a find with its box. */
export function renderCloseUp(row: DamageRow, pictures: ReportPictures): Markup {
  const closeUp = pictures.closeUps.get(row.id);
  if (!closeUp) return html`<span class="soft">no picture</span>`;
  const box = row.found && findMainEvidence(row.found)?.coordinates;
  return html`<div class="crop"><img src="${makeDataUri(closeUp.picture)}" alt="Close-up of no. ${row.number}">${box && closeUpBoxSvg(closeUp.region, box, chooseLook(row))}</div>`;
}

/** Returns a picture as an address that holds it. */
export function makeDataUri(picture: Picture): string {
  return `data:image/jpeg;base64,${Buffer.from(picture.jpeg).toString('base64')}`;
}
