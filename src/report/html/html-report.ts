import { createHash } from 'node:crypto';
import type { Photo } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { SEVERITIES } from '../../domain/damage.ts';
import { chooseDamageColumns, writeDamageRow, writeDamages, writeNextPhotos } from '../content/damages.ts';
import { writeFront } from '../content/first-page.ts';
import { describeAlsoInView, listCardFacts, writePhotoCaption } from '../content/photos.ts';
import { isBeforePhotos, listClosingSections } from '../content/sections.ts';
import { chooseReportTitle, type Fact, listHeadFacts } from '../facts.ts';
import { checkRows, type DamageRow, listDamageRows, listSighted, readVehicleId } from '../input.ts';
import { findMainEvidence, type ReportPictures } from '../pictures.ts';
import { describeFindPart, SEVERITY_WORDS } from '../words.ts';
import { keepRangesWhole, renderRow, renderSection, renderTableHead, stackClass } from './blocks.ts';
import { chooseLook, makeDataUri, renderCloseUp } from './close-up.ts';
import { drawBoxes } from './figures.ts';
import { renderFirstPage } from './first-page.ts';
import { html, type Markup, raw } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE_SHEET } from './style.ts';

interface HtmlOptions {
  readonly generatedAt: Date;
}

/**
 * Renders the report as one self-contained HTML file: pictures inside, no address asked, only our own style and script
 * allowed to run (by hash). Complete without the script; equal input gives equal bytes.
 */
export function renderHtml(input: Result, pictures: ReportPictures, options: HtmlOptions): string {
  const rows = listDamageRows(input);
  const checks = checkRows(input);
  const next = writeNextPhotos(input);
  const closing = listClosingSections(input, rows, pictures);
  const title = `${chooseReportTitle(input)}: ${readVehicleId(input)}`;
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hashForPolicy(STYLE_SHEET)}'; script-src 'sha256-${hashForPolicy(SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><title>${title}</title><style>${raw(STYLE_SHEET)}</style></head>
<body><a class="skip" href="#damages">To the damages</a>
${renderHead(input, options)}
${renderToolbar([...rows, ...checks])}
<main>
${renderFirstPage(input, pictures)}
${renderFacts(listHeadFacts(input, options.generatedAt))}
${renderDamageTable(input, rows)}
${renderToCheckTable(input, checks)}
${next && renderSection(next)}
${closing.filter(isBeforePhotos).map(renderSection)}
${renderPhotos(input, [...rows, ...checks], pictures)}
${closing.filter((section) => !isBeforePhotos(section)).map(renderSection)}
</main>
<div id="live" class="skip" role="status" aria-live="polite"></div>
<dialog id="zoom"><div class="tools"><button type="button" data-zoom="in" aria-label="Larger">+</button><button type="button" data-zoom="out" aria-label="Smaller">−</button><button type="button" data-zoom="fit">Fit</button><button type="button" data-zoom="close">Close</button></div><div class="stage"></div></dialog>
<script>${raw(SCRIPT)}</script></body></html>
`;
  return page.text;
}

/** Returns the hash by which a content security policy allows a style sheet or a script. */
export function hashForPolicy(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

const TO_CHECK_WORDS = 'To check';

function renderHead(input: Result, { generatedAt }: HtmlOptions): Markup {
  const { title, filed, status } = writeFront(input, generatedAt);
  return html`<header><h1>${title}</h1>${filed !== '' && html`<p class="soft">${filed}</p>`}<p class="strong">${status}</p></header>`;
}

function renderFacts(facts: readonly Fact[]): Markup {
  return html`<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function renderToolbar(rows: readonly DamageRow[]): Markup {
  const present = SEVERITIES.filter((severity) =>
    rows.some((row) => !row.toCheck && row.severity === severity),
  ).toReversed();
  const looks = [
    ...present.map((severity) => [severity, SEVERITY_WORDS[severity]] as const),
    ...(rows.some((row) => row.toCheck) ? [['to_check', TO_CHECK_WORDS] as const] : []),
  ];
  const filters = looks.map(
    ([look, words]) =>
      html`<label><input type="checkbox" name="severity" value="${look}" checked> <span class="chip ${look}">${words}</span></label>`,
  );
  return html`<div class="bar">${looks.length > 0 && html`<fieldset><legend>Show</legend>${filters}</fieldset>`}<button type="button" id="theme">Light / dark</button></div>`;
}

function renderDamageTable(input: Result, rows: readonly DamageRow[]): Markup {
  if (rows.length === 0) return renderSection(writeDamages(input, rows));
  return html`<section aria-labelledby="damages"><h2 id="damages">Damages</h2>${renderFindTable(input, rows)}</section>`;
}

function renderToCheckTable(input: Result, rows: readonly DamageRow[]): Markup | null {
  if (rows.length === 0) return null;
  return html`<section class="to-check" aria-labelledby="to-check"><h2 id="to-check">${TO_CHECK_WORDS}</h2>${renderFindTable({ ...input, assessment: null }, rows)}</section>`;
}

/** Renders a table whose rows show their find in its photo. */
function renderFindTable(input: Result, rows: readonly DamageRow[]): Markup {
  const columns = chooseDamageColumns(input);
  const body = rows.map((row) => {
    const attributes = html`data-damage="${row.id}" data-number="${row.number}" data-severity="${chooseLook(row)}" tabindex="-1"`;
    const show =
      row.found &&
      html` <button type="button" class="link" aria-label="Show no. ${row.number} in its photo">show</button>`;
    return renderRow(writeDamageRow(input, row), columns, attributes, show || undefined);
  });
  return html`<div class="scroll"><table class="${stackClass(columns)}">${renderTableHead(columns)}<tbody>${body}</tbody></table></div>`;
}

function renderPhotos(input: Result, rows: readonly DamageRow[], pictures: ReportPictures): Markup | null {
  const data = input.inspection?.data;
  if (!data || data.images.length === 0) return null;
  const seen = data.images.map((photo) => ({ photo, sighted: listSighted(photo, data) }));
  const clean = seen.filter(({ sighted }) => sighted.length === 0);
  const hit = seen.filter(({ sighted }) => sighted.length > 0);
  const blocks = hit.map(({ photo, sighted }) => {
    const picture = pictures.photos.get(photo.index);
    const numbers = sighted.map(({ damage }) => damage.number).join(', ');
    const mine = rows.filter((row) => row.found && findMainEvidence(row.found)?.image_index === photo.index);
    const alt = `${writePhotoCaption(photo)}, no. ${numbers}`;
    const view = picture
      ? html`<figure class="photo"><button type="button" class="zoom" aria-label="Enlarge photo ${photo.index + 1}"><img src="${makeDataUri(picture)}" width="${picture.width}" height="${picture.height}" alt="${alt}"></button>${drawBoxes(photo, sighted)}</figure>`
      : html`<p class="soft">No picture: ${pictures.missing.get(photo.index) ?? 'the photo was not found'}. No. ${numbers}.</p>`;
    const also = describeAlsoInView(sighted, photo);
    return html`<div class="shot"><h3>${writePhotoCaption(photo)}</h3>${view}${also !== null && html`<p class="soft">${also}</p>`}<ul class="cards">${mine.map((row) => renderCard(row, pictures))}</ul></div>`;
  });
  return html`${blocks.length > 0 && html`<section aria-labelledby="photos"><h2 id="photos">Photos with finds</h2><div class="shots">${blocks}</div></section>`}
${clean.length > 0 && html`<section aria-labelledby="clean"><h2 id="clean">Photos without finds</h2><div class="grid">${clean.map(({ photo }) => renderSmallPhoto(photo, pictures))}</div></section>`}`;
}

function renderCard(row: DamageRow, pictures: ReportPictures): Markup {
  const picture = renderCloseUp(row, pictures);
  return html`<li class="card ${chooseLook(row)}" data-damage="${row.id}" data-number="${row.number}" data-severity="${chooseLook(row)}">${picture}<div><h4>${row.number}${row.toCheck ? '?' : '.'} ${describeFindPart(row)}</h4>${row.toCheck ? html`<span class="chip to_check">${TO_CHECK_WORDS}</span>` : html`<span class="chip ${row.severity}">${SEVERITY_WORDS[row.severity]}</span>`}<ul>${listCardFacts(row).map((fact) => html`<li>${keepRangesWhole(fact)}</li>`)}</ul></div></li>`;
}

function renderSmallPhoto(photo: Photo, pictures: ReportPictures): Markup {
  const picture = pictures.photos.get(photo.index);
  const caption = `${writePhotoCaption(photo)}${photo.analysed ? '' : ' (not analysed)'}`;
  return html`<figure>${picture ? html`<button type="button" class="zoom" aria-label="Enlarge photo ${photo.index + 1}"><img src="${makeDataUri(picture)}" alt="${caption}"></button>` : html`<p class="soft">No picture</p>`}<figcaption>${caption}</figcaption></figure>`;
}
