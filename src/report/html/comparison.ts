import type { VisitsDocument } from '../compare/sections.ts';
import { nameSoftware } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import { chooseLanguage } from '../languages.ts';
import { COLOR } from '../palette.ts';
import type { PdfOptions } from '../pdf/document.ts';
import { renderSection } from './blocks.ts';
import { html } from './markup.ts';
import { writePage } from './page.ts';
import { STYLE_SHEET } from './style.ts';

/** Shows the crops side by side; swapping them in place makes differences visible. */
const STYLE = `${STYLE_SHEET}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:12px;margin:6px 0}
.pair .crop{width:100%;height:auto;aspect-ratio:4/3;background:var(--band);display:grid;place-items:center}
.pair img{display:block;width:100%;height:100%;object-fit:cover;border-radius:4px}
.pair.one-sided{grid-template-columns:160px 1fr;grid-template-rows:auto 1fr;gap:4px 12px}
.one-sided figure{display:contents}.one-sided .crop{grid-row:1/span 2}.one-sided figcaption{grid-column:2;margin:0}
.one-sided figure:first-child figcaption{color:var(--ink)}
.unlisted rect.edge{stroke-dasharray:9 7}.mark.unlisted .edge,.mark.listed .edge{stroke:${COLOR.ink}}
main .bar{padding-inline:0}
.swapped .pair figure:first-child{order:2}
.decide{display:flex;flex-wrap:wrap;gap:6px 12px;margin-bottom:26px}
.decide select,.decide input{font:inherit;color:inherit;background:var(--page)}
.decide select,.decide input{border:1px solid var(--rule);border-radius:6px;padding:3px 8px;max-width:100%}
.decide input{flex:1 1 200px}
#decisions{display:block;background:var(--band);border-radius:6px;padding:8px 12px}
#decisions{user-select:all;overflow-wrap:anywhere}
@media print{.bar,.decide,.decisions{display:none}}
`;
/** Swaps the sides, and writes the chosen decisions as flags of `vehi compare`. The page is complete without it. */
const SCRIPT = `(() => {
const swap = () => document.body.classList.toggle('swapped');
document.getElementById('swap')?.addEventListener('click', swap);
document.addEventListener('keydown', (e) => {
  const isPlain = !e.ctrlKey && !e.metaKey && !e.altKey;
  if (e.key === 'x' && isPlain && !e.target.closest('input,select')) swap();
});
const rows = [...document.querySelectorAll('.decide')];
const out = document.getElementById('decisions');
const none = out.textContent;
const writeFlag = (row) => {
  const [word, note] = row.querySelectorAll('select,input');
  const said = note.value.trim().replaceAll("'", '’');
  return word.value ? ["--decide '" + row.dataset.row + '=' + word.value + (said ? ': ' + said : '') + "'"] : [];
};
const update = () => { out.textContent = rows.flatMap(writeFlag).join(' ') || none; };
for (const row of rows) row.addEventListener('input', update);
update();
})()`;

/** Renders a comparison or a checklist as one self-contained HTML file. */
export function renderVisitsHtml(
  { inspection, redaction, write }: VisitsDocument,
  { generatedAt, language }: Pick<PdfOptions, 'generatedAt' | 'language'>,
): string {
  const { data } = inspection;
  const input = { inspection, assessment: null };
  const t = chooseLanguage(input, language);
  const { heading, sections } = write(t);
  const lastToDecide = sections.findLast(({ id }) => id === 'side-by-side' || id === 'photograph');
  const swap = html`<p class="soft bar"><button type="button" id="swap">${t`Swap the sides (x)`}</button></p>`;
  const decisions = html`
    <section class="decisions" aria-labelledby="decided">
      <h2 id="decided">${t`Decisions`}</h2>
      <p>${t`Run the comparison again with what is chosen above; counts, condition and every output follow it.`}</p>
      <output id="decisions" class="code">${t`none yet`}</output>
    </section>`;
  const software = `${nameSoftware(input)}, ${t.figure(formatDateTime(generatedAt.toISOString()))}`;
  const body = html`<header><h1>${heading}</h1><p class="strong">${data.vehicle_id}</p></header>
<main>${sections.map(
    (section) =>
      html`${section.id === 'side-by-side' && swap}${renderSection(section, t)}${section === lastToDecide && decisions}`,
  )}
${redaction && html`<p class="soft">${t.stored(redaction)}</p>`}<p class="soft">${software}</p></main>
`;
  return writePage(t, t`${heading}: ${data.vehicle_id}`, body, STYLE, lastToDecide && SCRIPT);
}
