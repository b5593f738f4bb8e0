import type { InspectionResults, VisualInspection } from '../../../contract/inspection.ts';
import type { ReviewAnswer } from '../../../contract/review-answers.ts';
import { formatMoneyRange, formatWholeMoney } from '../../../report/figures.ts';
import { describeToCheck, describeVerdict, findWorseGrade } from '../../../report/headline.ts';
import { describeNextPhotos } from '../../../report/next-photos.ts';
import { capitalise, describeDamage, describeFindingPart, SEVERITY_WORDS } from '../../../report/words.ts';
import { callApi, can, makeFileUrl } from '../api.ts';
import { HeadRow, Problem, Scroll } from '../components.tsx';
import { useLoaded } from '../hooks.ts';
import { type Finding, FindingLink, PhotoViewer, readSelectedNumber } from './photo-viewer.tsx';

/** Renders the photo with its boxes, the findings or their review, and the next steps. */
export function Result({ inspection }: { readonly inspection: VisualInspection }) {
  const { inspection_id: id, reviewed_at } = inspection;
  const { value: review, problem } = useLoaded(
    () => callApi<ReviewAnswer>('GET', `/inspections/visual/${id}/review`),
    `${id} ${reviewed_at ?? ''}`,
  );
  const isReviewed = review !== null && review.revision > 0;
  const results = isReviewed ? review.results : inspection.results;
  if (results === null) return null;
  return (
    <>
      <Headline results={results} review={review} />
      <Problem>{problem}</Problem>
      <p class="actions">
        {can('inspections:write') && review !== null ? (
          <a class="button main" href={`#/inspections/${id}/review`}>
            {review.status === 'finished' ? 'Review again' : isReviewed ? 'Continue the review' : 'Review'}
          </a>
        ) : null}
        {inspection.reports.pdf_url !== null && !isReviewed ? (
          <a class="button" href={makeFileUrl(inspection.reports.pdf_url)} download>
            PDF report
          </a>
        ) : null}
        {isReviewed ? <Exports id={id} /> : null}
      </p>
      <PhotoViewer
        inspection={inspection}
        findings={[...results.damages, ...results.to_check]}
        // Pictures are requested once the list of stored ones has arrived.
        review={review}
      />
      <FindingTable id={id} results={results} isReviewed={isReviewed} />
      <NextPhotos results={results} />
    </>
  );
}

/** Renders the repair cost, and its basis in one sentence. */
function Headline({
  results,
  review,
}: {
  readonly results: InspectionResults;
  readonly review: ReviewAnswer | null;
}) {
  const { repair_cost: cost, damages } = results;
  const isPriced = cost.items > 0;
  return (
    <p class="headline">
      <strong class="price">
        {isPriced ? formatWholeMoney(cost.estimated, cost.currency) : 'No damage confirmed'}
      </strong>{' '}
      <span>
        {isPriced
          ? `to repair ${damages.length === 1 ? 'one damage' : `${damages.length} damages as one job`} (${formatMoneyRange(cost.min, cost.max, cost.currency)}): `
          : ''}
        {describeVerdict(results)}
        {describeUnconfirmed(results)}
        {review === null ? '' : `; ${describeReview(review)}`}.
      </span>
    </p>
  );
}

/** Describes the effect of unconfirmed findings: `; 3 places to check, +$4,100, and poor if they are real`. */
function describeUnconfirmed(results: InspectionResults): string {
  if (results.to_check.length === 0) return '';
  const worse = findWorseGrade(results);
  const places = describeToCheck(results).replace(/^(\d+ places?)/, '$1 to check');
  return `; ${places}${worse === null ? '' : `, and ${worse} if real`}`;
}

/** Renders the recommended next photos, worded as in reports. */
function NextPhotos({ results: { next_photos } }: { readonly results: InspectionResults }) {
  const next = describeNextPhotos(next_photos);
  if (next === null) return null;
  return (
    <section aria-label="What to photograph next">
      <h2>What to photograph next</h2>
      <p>{capitalise(next)}</p>
    </section>
  );
}

function describeReview(review: ReviewAnswer): string {
  const by = review.reviewer === '' ? '' : ` by ${review.reviewer}`;
  if (review.status === 'finished') return `reviewed${by}`;
  return review.revision > 0 ? `review begun${by}` : 'not reviewed';
}

const EXPORT_FORMATS = [
  ['pdf', 'PDF'],
  ['html', 'HTML'],
  ['json', 'JSON'],
  ['csv', 'CSV'],
  ['coco', 'COCO'],
] as const;

function Exports({ id }: { readonly id: string }) {
  return (
    <>
      {EXPORT_FORMATS.map(([format, words]) => (
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

const COLUMNS = ['No.', 'What', 'Part', 'Severity', 'Repair', 'Sure'];

/** Renders all findings in one table, so their columns align. */
function FindingTable({
  id,
  results: { damages, to_check: toCheck },
  isReviewed,
}: {
  readonly id: string;
  readonly results: InspectionResults;
  readonly isReviewed: boolean;
}) {
  const groups = [
    { label: isReviewed ? 'Damages, as reviewed' : 'Damages', findings: damages },
    { label: 'To check, not in the total', findings: toCheck },
  ].filter(({ findings }) => findings.length > 0);
  if (groups.length === 0) return null;
  return (
    <Scroll label="What was found">
      <table class="entries findings">
        <HeadRow names={COLUMNS} numericNames={['No.', 'Repair', 'Sure']} />
        {groups.map(({ label, findings }) => (
          <tbody key={label} aria-label={label}>
            <tr class="group">
              <th colSpan={COLUMNS.length} scope="rowgroup">
                {label}
              </th>
            </tr>
            {findings.map((finding) => (
              <FindingRow key={finding.damage_id} id={id} finding={finding} />
            ))}
          </tbody>
        ))}
      </table>
    </Scroll>
  );
}

function FindingRow({ id, finding }: { readonly id: string; readonly finding: Finding }) {
  const { number, type, subtype, location, severity, estimated_repair: cost, confidence } = finding;
  return (
    <tr class={readSelectedNumber() === number ? 'current' : ''}>
      <td class="amount number-of">
        <FindingLink id={id} finding={finding} />
      </td>
      <th scope="row" class="what">
        {describeDamage(type, subtype)}
      </th>
      <td class="part">{describeFindingPart(location)}</td>
      <td class="severity">
        <span class={`dot ${severity}`} aria-hidden="true" /> {SEVERITY_WORDS[severity]}
      </td>
      <td class="amount price">{formatWholeMoney(cost.estimated, cost.currency)}</td>
      <td class="amount sure">{Math.round(confidence * 100)} %</td>
    </tr>
  );
}
