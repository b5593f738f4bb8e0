import { useEffect, useState } from 'preact/hooks';
import type { Damage, VisualInspection } from '../../contract/inspection.ts';
import type { ReviewAnswer } from '../../contract/review-answers.ts';
import { fileName, moneyRange, plain } from '../../report/figures.ts';
import { CONDITION_WORDS, damageWords, partWords, SEVERITY_WORDS } from '../../report/words.ts';
import { call, fileAddress, may } from './api.ts';
import { Problem, Scroll, Time, Title, useLoaded, useWork } from './parts.tsx';
import { go } from './router.ts';

const POLL_MS = 1500;

/** The result of one inspection, with what a person made of it. */
export function Inspection({ id }: { readonly id: string }) {
  const { value, problem, reload } = useLoaded(
    () => call<VisualInspection>('GET', `/inspections/visual/${encodeURIComponent(id)}`),
    id,
  );
  const processing = value?.status === 'processing';
  useEffect(() => {
    if (!processing) return;
    const timer = setTimeout(reload, POLL_MS);
    return () => clearTimeout(timer);
  });
  if (value === null)
    return (
      <>
        <Title>Inspection</Title>
        {problem ? <Problem>{problem}</Problem> : <p>Reading…</p>}
      </>
    );
  return (
    <>
      <Title>{value.vehicle_id}</Title>
      <p class="soft">
        Made <Time iso={value.created_at} /> · {id}
      </p>
      <Problem>{problem}</Problem>
      {processing ? (
        <p role="status">The photos are being analysed; this takes some seconds.</p>
      ) : value.results === null ? (
        <Problem>{value.failure?.message ?? 'The analysis failed.'}</Problem>
      ) : (
        <Result inspection={value} />
      )}
      <Rejected inspection={value} />
      {may('inspections:write') && !processing ? <Remove id={id} /> : null}
    </>
  );
}

function Result({ inspection }: { readonly inspection: VisualInspection }) {
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
          <dd class="price">{moneyRange(cost.min, cost.max, cost.currency)}</dd>
        </div>
        <div>
          <dt>Condition</dt>
          <dd>
            {CONDITION_WORDS[results.overall_condition]} {plain(results.condition_score)}/10
          </dd>
        </div>
        <div>
          <dt>Damages</dt>
          <dd>
            {results.damages.length}
            {toCheck.length > 0 ? `, ${toCheck.length} places to check` : ''}
          </dd>
        </div>
        <div>
          <dt>Review</dt>
          <dd>{reviewWords(review)}</dd>
        </div>
      </dl>
      <Problem>{problem}</Problem>
      <p class="actions">
        {may('inspections:write') && review !== null ? (
          <a class="button main" href={`#/inspections/${id}/review`}>
            {review.status === 'finished' ? 'Review again' : begun ? 'Go on with the review' : 'Review'}
          </a>
        ) : null}
        {inspection.reports.pdf_url !== null && !begun ? (
          <a class="button" href={fileAddress(inspection.reports.pdf_url)} download>
            PDF report
          </a>
        ) : null}
        {begun ? <Exports id={id} /> : null}
      </p>
      <Findings damages={results.damages} label={begun ? 'Damages, as reviewed' : 'Damages'} />
      <Findings damages={toCheck} label="Places to check, in no sum" />
      <Photos inspection={inspection} review={review} />
    </>
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
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            {['No.', 'What', 'Part', 'Severity', 'Repair', 'Sure'].map((name) => (
              <th key={name} scope="col" class={['No.', 'Repair', 'Sure'].includes(name) ? 'amount' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {damages.map(
            ({ damage_id, number, type, subtype, location, severity, estimated_repair, confidence }) => (
              <tr key={damage_id}>
                <td class="amount">{number}</td>
                <th scope="row">{damageWords(type, subtype)}</th>
                <td>{partWords(location.part)}</td>
                <td>
                  <span class={`dot ${severity}`} aria-hidden="true" /> {SEVERITY_WORDS[severity]}
                </td>
                <td class="amount">
                  {moneyRange(estimated_repair.min, estimated_repair.max, estimated_repair.currency)}
                </td>
                <td class="amount">{Math.round(confidence * 100)} %</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </Scroll>
  );
}

function Photos({
  inspection,
  review,
}: {
  readonly inspection: VisualInspection;
  readonly review: ReviewAnswer | null;
}) {
  return (
    <section aria-label="Photos">
      <h2>{inspection.images.length} photos</h2>
      <ul class="photos">
        {inspection.images.map(({ index, url, angle, annotated_url }) => {
          const kept = review?.photos.find((one) => one.index === index);
          const large = annotated_url ?? kept?.view_url ?? null;
          const small = kept?.thumbnail_url ?? annotated_url;
          const name = fileName(url);
          const words = `${name}${angle === null ? '' : `, ${angle.replace('_', ' ')}`}`;
          return (
            <li key={index}>
              {small && large ? (
                <a href={fileAddress(large)} target="_blank" rel="noreferrer">
                  <img src={fileAddress(small)} alt={words} loading="lazy" />
                </a>
              ) : (
                <span class="gone">no longer kept</span>
              )}
              <span>{words}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Rejected({ inspection: { rejected_images: rejected } }: { readonly inspection: VisualInspection }) {
  if (rejected.length === 0) return null;
  return (
    <section aria-label="Photos left out">
      <h2>Left out</h2>
      <ul>
        {rejected.map(({ url, message }) => (
          <li key={url}>
            {fileName(url)}: {message}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Remove({ id }: { readonly id: string }) {
  const [asked, setAsked] = useState(false);
  const work = useWork();
  return (
    <p class="actions end">
      <Problem>{work.problem}</Problem>
      {asked ? (
        <>
          <span>Delete it with its photos, report and review?</span>
          <button
            type="button"
            class="danger"
            disabled={work.busy}
            onClick={() =>
              work.run(async () => {
                await call('DELETE', `/inspections/visual/${id}`);
                go('');
              })
            }
          >
            Delete for good
          </button>
          <button type="button" onClick={() => setAsked(false)}>
            Keep
          </button>
        </>
      ) : (
        <button type="button" onClick={() => setAsked(true)}>
          Delete…
        </button>
      )}
    </p>
  );
}
