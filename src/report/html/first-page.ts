import type { Result } from '../../contract/result.ts';
import { makeFigures } from '../content/blocks.ts';
import { writeDecisionForm } from '../content/decision.ts';
import { CROP_TITLES, writeFirstPage, writeVerdict } from '../content/first-page.ts';
import { writeRepair } from '../content/repair.ts';
import { listFigures } from '../headline.ts';
import { type DamageRow, showsPrices } from '../input.ts';
import type { ReportPictures } from '../pictures.ts';
import { describeFindPart } from '../words.ts';
import { renderBlock } from './blocks.ts';
import { renderCloseUp } from './close-up.ts';
import { drawPlan } from './figures.ts';
import { html, type Markup } from './markup.ts';

/** Renders the three figures, the repair next to the plan, the worst places, what is to check, and the decision. */
export function renderFirstPage(input: Result, pictures: ReportPictures): Markup {
  const figures = listFigures(input);
  const { plan, worst, toCheck, seen } = writeFirstPage(input, pictures);
  const repair = showsPrices(input.inspection) ? writeRepair(input, { photos: false }) : null;
  const said = writeVerdict(input).map(
    ({ text, bold }) => html`<p class="${bold ? 'strong' : 'plain'}">${text}</p>`,
  );
  return html`<section class="first" aria-label="Summary">${figures.length > 0 && renderBlock(makeFigures(figures))}
<div class="answer"><div class="repair">${said}${repair?.blocks.map(renderBlock)}</div>${plan && drawPlan(plan)}</div>
${renderCrops(CROP_TITLES.worst, 'crops worst', worst, pictures)}${renderCrops(CROP_TITLES.toCheck, 'crops', toCheck, pictures)}
<p class="soft">${seen}</p></section>${renderDecision(input)}`;
}

function renderCrops(
  title: string,
  name: string,
  finds: readonly DamageRow[],
  pictures: ReportPictures,
): Markup | null {
  if (finds.length === 0) return null;
  return html`<h2>${title}</h2><div class="${name}">${finds.map((row) => html`<figure>${renderCloseUp(row, pictures)}<figcaption>${row.number}${row.toCheck && '?'} ${describeFindPart(row)}</figcaption></figure>`)}</div>`;
}

/** Renders space for the decision, to be filled in on paper. */
function renderDecision(input: Result): Markup {
  const form = writeDecisionForm(input);
  const boxes = form.boxes.map((text) => html`<li>${text}</li>`);
  const lines = form.lines.map((text) => html`<div>${text}</div>`);
  return html`<section class="decision" aria-labelledby="decision"><h2 id="decision">${form.title}</h2><ul>${boxes}</ul><div class="lines">${lines}</div></section>`;
}
