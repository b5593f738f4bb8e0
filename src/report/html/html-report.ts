import type { Result } from '../../contract/result.ts';
import { SEVERITIES } from '../../domain/damage.ts';
import { chooseLook } from '../../domain/looks.ts';
import { listReportSections } from '../content/report.ts';
import { writeTitleBlock } from '../content/title-block.ts';
import { chooseReportTitle, pickVehicleId } from '../facts.ts';
import { listFindingRows } from '../finding-rows.ts';
import { chooseLanguage } from '../languages.ts';
import type { PdfOptions } from '../pdf/document.ts';
import type { ReportPictures } from '../pictures.ts';
import type { Translator } from '../translator.ts';
import { humanize } from '../words.ts';
import { makeAnchor, renderSection } from './blocks.ts';
import { drawHatch } from './drawings.ts';
import { html, type Markup } from './markup.ts';
import { writePage } from './page.ts';
import { writeScript } from './script.ts';
import { STYLE_SHEET } from './style.ts';

/**
 * Renders the report as one self-contained HTML file: embedded pictures, no external requests, and a content security
 * policy that allows only our own style sheet and script, by hash. Complete even without the script; deterministic.
 */
export function renderHtml(
  input: Result,
  pictures: ReportPictures,
  { generatedAt, language }: Pick<PdfOptions, 'generatedAt' | 'language'>,
): string {
  const t = chooseLanguage(input, language);
  const script = writeScript(t);
  const page = t`${chooseReportTitle(input, t)}: ${pickVehicleId(input)}`;
  const { title, references, status } = writeTitleBlock(input, generatedAt, t);
  const sections = listReportSections(input, pictures, generatedAt, t);
  const list = sections.find(({ id }) => id === 'damages' || id === 'findings');
  const body = html`<a class="skip" href="#${list ? makeAnchor(list) : 'facts'}">${t`To the damages`}</a>
<header><h1>${title}</h1>${references !== '' && html`<p class="soft">${references}</p>`}<p class="strong">${status}</p></header>
${renderToolbar(input, t)}
<main>${drawHatch()}
${sections.map((section) => renderSection(section, t))}
</main>
<div id="live" class="skip" role="status" aria-live="polite"></div>
<dialog><button type="button">${t`Close`}</button><div class="stage"></div></dialog>
`;
  return writePage(t, page, body, STYLE_SHEET, script);
}

function renderToolbar(input: Result, t: Translator): Markup | null {
  const present = listFindingRows(input).map(chooseLook);
  const looks = ([...SEVERITIES.toReversed(), 'to_check'] as const).filter((look) => present.includes(look));
  const filters = looks.map((look) => {
    const chip = html`<span class="chip ${look}">${t.word(humanize(look))}</span>`;
    return html`<label><input type="checkbox" name="severity" value="${look}" checked> ${chip}</label>`;
  });
  return looks.length === 0
    ? null
    : html`<div class="bar"><fieldset><legend>${t`Show`}</legend>${filters}</fieldset></div>`;
}
