import type { Result } from '../../contract/result.ts';
import { makeFigures } from '../content/blocks.ts';
import { writeDecisionForm } from '../content/decision.ts';
import { listWorst, writeSeen, writeVerdict } from '../content/first-page.ts';
import { sortByWorth, writeRepair } from '../content/repair.ts';
import { listFigures } from '../headline.ts';
import { type DamageRow, isMixed } from '../input.ts';
import type { ReportPictures } from '../pictures.ts';
import { describePlan, drawViewsOf, listPartMarks, listUnseenParts } from '../plan/plan.ts';
import { describeFindPart, describePart } from '../words.ts';
import { renderBlock } from './blocks.ts';
import { renderCloseUp } from './close-up.ts';
import { drawPlan } from './figures.ts';
import { html, type Markup } from './markup.ts';

/** The worst places and the places to check that are shown. */
const MOST = { worst: 4, toCheck: 8 } as const;

/** Renders the three figures, the repair next to the plan, the worst places, what is to check, and the decision. */
export function renderFirstPage(
  input: Result,
  rows: readonly DamageRow[],
  checks: readonly DamageRow[],
  pictures: ReportPictures,
): Markup {
  const results = input.inspection?.data.results;
  const figures = listFigures(input);
  const repair = results && isMixed(results) ? null : writeRepair(input, { photos: false });
  const marks = listPartMarks([...rows, ...checks]);
  const unseen = listUnseenParts(input);
  const hasPicture = ({ id }: DamageRow) => pictures.closeUps.has(id);
  const worst = listWorst(rows.filter(hasPicture), MOST.worst);
  const toCheck = sortByWorth(checks).filter(hasPicture).slice(0, MOST.toCheck);
  const said = writeVerdict(input).map(
    ({ text, bold }) => html`<p class="${bold ? 'strong' : 'plain'}">${text}</p>`,
  );
  return html`<section class="first" aria-label="Summary">${figures.length > 0 && renderBlock(makeFigures(figures))}
<div class="answer"><div class="repair">${said}${repair?.blocks.map(renderBlock)}</div>${drawPlan(drawViewsOf(input), marks, unseen, describePlan(marks, unseen, describePart))}</div>
${renderCrops('The worst places', 'crops worst', worst, pictures)}${renderCrops('To check: damage or reflection?', 'crops', toCheck, pictures)}
<p class="soft">${writeSeen(input)}</p></section>${renderDecision(input)}`;
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
