import { SEVERITIES, type Severity } from '../../domain/damage.ts';
import { writeGlanceNotes } from '../content/glance.ts';
import { describeLossWarning } from '../content/value.ts';
import {
  describeBasis,
  describeFailure,
  describeGradeSpan,
  isMixed,
  listFigures,
  readGrade,
} from '../headline.ts';
import type { DamageRow, ReportInput } from '../input.ts';
import { describePlan, listPartMarks, listUnseenParts } from '../plan/plan.ts';
import { countDamages, describePart, SEVERITY_WORDS } from '../words.ts';
import { drawDial, drawPlan } from './figures.ts';
import { html, type Markup } from './markup.ts';

/** Returns the condition at a glance: grade, what it rests on, counts, prices, and the plan of the vehicle. */
export function renderGlance(
  input: ReportInput,
  rows: readonly DamageRow[],
  checks: readonly DamageRow[],
): Markup {
  const { inspection, assessment } = input;
  const results = inspection?.data.results;
  const grade = results && readGrade(results);
  const span = results && describeGradeSpan(results);
  const failure = describeFailure(inspection?.data);
  const loss = describeLossWarning(assessment);
  const marks = listPartMarks([...rows, ...checks]);
  const unseen = listUnseenParts(input);
  const count = (severity: Severity) => rows.filter((row) => row.severity === severity).length;
  const counts = html`<p class="strong">${countDamages(rows.length, checks.length)}${checks.length > 0 && `, ${checks.length} to check`}</p>
<ul class="counts">${SEVERITIES.toReversed().map((severity) => html`<li><span class="chip ${severity}">${SEVERITY_WORDS[severity]}</span> ${count(severity)}</li>`)}</ul>
${listFigures(input)
  .filter(({ label }) => label !== 'Damage')
  .map(
    ({ label, value, note }) =>
      html`<p><span class="soft">${label} ${note}</span><br><span class="strong">${value}</span></p>`,
  )}`;
  return html`<section aria-labelledby="glance"><h2 id="glance">Condition at a glance</h2><div class="glance"><div>
${grade ? drawDial(grade) : inspection && html`<p class="strong">No grade</p>`}
${failure && html`<p class="strong">${failure}</p>`}
${loss && html`<p class="strong">${loss}</p>`}
${span && html`<p class="strong">${span}</p>`}
${results && html`<p class="${isMixed(results) ? 'strong' : 'plain'}">${describeBasis(results)}</p>`}
${(results ?? assessment) && counts}
</div>${drawPlan(marks, unseen, describePlan(marks, unseen, describePart))}</div>
${writeGlanceNotes(input, marks, unseen).map((note) => html`<p class="soft">${note}</p>`)}</section>`;
}
