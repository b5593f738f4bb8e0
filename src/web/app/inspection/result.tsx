import type { Damage, InspectionResults, VisualInspection } from '../../../contract/inspection.ts';
import type { ReviewAnswer } from '../../../contract/review-answers.ts';
import { formatEstimateAndRange, formatMoneyRange } from '../../../report/figures.ts';
import { describeGradeSpan, describeToCheck, writeVerdictTitle } from '../../../report/headline.ts';
import { describeNextPhotos } from '../../../report/next-photos.ts';
import { describeDamage, describeFindPart, SEVERITY_WORDS } from '../../../report/words.ts';
import { call, makeFileAddress, may } from '../api.ts';
import { HeadRow, Problem, Scroll, useLoaded } from '../parts.tsx';
import { Photos } from './photos.tsx';

/** Renders what was found, or its review, with the next steps. */
export function Result({ inspection }: { readonly inspection: VisualInspection }) {
  const { inspection_id: id, reviewed_at } = inspection;
  const { value: review, problem } = useLoaded(
    () => call<ReviewAnswer>('GET', `/inspections/visual/${id}/review`),
    `${id} ${reviewed_at ?? ''}`,
  );
  const begun = review !== null && review.revision > 0;
  const results = begun ? review.results : inspection.results;
  if (results === null) return null;
  const { repair_cost: cost, to_check: toCheck } = results;
  return (
    <>
      <dl class="figures">
        <div>
          <dt>Repair, as one job</dt>
          <dd class="price">{formatEstimateAndRange(cost)}</dd>
        </div>
        <div>
          <dt>Condition</dt>
          <dd>{describeGradeSpan(results) ?? writeVerdictTitle(results)}</dd>
        </div>
        <div>
          <dt>Damages</dt>
          <dd>{results.damages.length}</dd>
        </div>
        {toCheck.length > 0 ? (
          <div>
            <dt>To check</dt>
            <dd>{describeToCheck(results)}</dd>
          </div>
        ) : null}
        <div>
          <dt>Review</dt>
          <dd>{reviewWords(review)}</dd>
        </div>
      </dl>
      <Problem>{problem}</Problem>
      <p class="actions">
        {may('inspections:write') && review !== null ? (
          <a class="button main" href={`#/inspections/${id}/review`}>
            {review.status === 'finished' ? 'Review again' : begun ? 'Continue the review' : 'Review'}
          </a>
        ) : null}
        {inspection.reports.pdf_url !== null && !begun ? (
          <a class="button" href={makeFileAddress(inspection.reports.pdf_url)} download>
            PDF report
          </a>
        ) : null}
        {begun ? <Exports id={id} /> : null}
      </p>
      <Findings damages={results.damages} label={begun ? 'Damages, as reviewed' : 'Damages'} />
      <Findings damages={toCheck} label="To check, not in the total" />
      <NextPhotos results={results} />
      <Photos inspection={inspection} review={review} />
    </>
  );
}

/** Renders what to photograph so that gaps close, in the words of the reports. */
function NextPhotos({ results: { next_photos } }: { readonly results: InspectionResults }) {
  if (next_photos.length === 0) return null;
  return (
    <section aria-label="What to photograph next">
      <h2>What to photograph next</h2>
      <ul class="reasons">
        {describeNextPhotos(next_photos).map(({ order, words }) => (
          <li key={order}>
            {words.charAt(0).toUpperCase()}
            {words.slice(1)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function reviewWords(review: ReviewAnswer | null): string {
  if (review === null) return '–';
  const by = review.reviewer === '' ? '' : ` by ${review.reviewer}`;
  if (review.status === 'finished') return `reviewed${by}`;
  return review.revision > 0 ? `begun${by}` : 'not begun';
}

const FORMATS = [
  ['pdf', 'PDF'],
  ['html', 'HTML'],
  ['json', 'JSON'],
  ['csv', 'CSV'],
  ['coco', 'COCO'],
] as const;

function Exports({ id }: { readonly id: string }) {
  return (
    <>
      {FORMATS.map(([format, words]) => (
        <a
          key={format}
          class="button"
          data-export={format}
          href={`../v1/inspections/visual/${id}/review/export?format=${format}`}
          download
        >
          {words}
        </a>
      ))}
    </>
  );
}

function Findings({ damages, label }: { readonly damages: readonly Damage[]; readonly label: string }) {
  if (damages.length === 0) return null;
  return (
    <Scroll label={label}>
      <table class="entries findings">
        <caption>{label}</caption>
        <HeadRow
          names={['No.', 'What', 'Part', 'Severity', 'Repair', 'Sure']}
          amounts={['No.', 'Repair', 'Sure']}
        />
        <tbody>
          {damages.map(
            ({ damage_id, number, type, subtype, location, severity, estimated_repair, confidence }) => (
              <tr key={damage_id}>
                <td class="amount">{number}</td>
                <th scope="row" class="what">
                  {describeDamage(type, subtype)}
                </th>
                <td class="part">{describeFindPart(location)}</td>
                <td class="severity">
                  <span class={`dot ${severity}`} aria-hidden="true" /> {SEVERITY_WORDS[severity]}
                </td>
                <td class="amount price">
                  {formatMoneyRange(estimated_repair.min, estimated_repair.max, estimated_repair.currency)}
                </td>
                <td class="amount sure">{Math.round(confidence * 100)} %</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </Scroll>
  );
}
