import { useEffect } from 'preact/hooks';
import type { VisualInspection } from '../../../contract/inspection.ts';
import { call, may } from '../api.ts';
import { Confirm, Problem, Time, Title, useAction, useLoaded } from '../parts.tsx';
import { go } from '../router.ts';
import { Rejected, withNames } from './photos.tsx';
import { Result } from './result.tsx';

const POLL_MS = 1500;

/** Renders the result of one inspection and its review. */
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
        {problem ? <Problem>{problem}</Problem> : <p>Loading…</p>}
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
        <Problem>{withNames(value.failure?.message ?? 'The analysis failed.')}</Problem>
      ) : (
        <Result inspection={value} />
      )}
      <Rejected inspection={value} />
      {may('inspections:write') && !processing ? <Remove id={id} /> : null}
    </>
  );
}

function Remove({ id }: { readonly id: string }) {
  const work = useAction();
  return (
    <p class="actions end">
      <Problem>{work.problem}</Problem>
      <Confirm
        question="Delete it with its photos, report and review?"
        sure="Delete for good"
        busy={work.busy}
        onSure={() =>
          work.run(async () => {
            await call('DELETE', `/inspections/visual/${id}`);
            go('');
          })
        }
      >
        Delete…
      </Confirm>
    </p>
  );
}
