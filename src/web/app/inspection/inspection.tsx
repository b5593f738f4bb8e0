import { useEffect } from 'preact/hooks';
import type { VisualInspection } from '../../../contract/inspection.ts';
import { callApi, can } from '../api.ts';
import { Confirm, Problem, Time, Title } from '../components.tsx';
import { useAction, useLoaded } from '../hooks.ts';
import { navigate } from '../router.ts';
import { RejectedPhotos, removeUploadIds } from './rejected-photos.tsx';
import { Result } from './result.tsx';

const POLL_MS = 1500;

/** Renders the result of one inspection and its review. */
export function Inspection({ id }: { readonly id: string }) {
  const { value, problem, reload } = useLoaded(
    () => callApi<VisualInspection>('GET', `/inspections/visual/${encodeURIComponent(id)}`),
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
        <Problem>{removeUploadIds(value.failure?.message ?? 'The analysis failed.')}</Problem>
      ) : (
        <Result inspection={value} />
      )}
      <RejectedPhotos inspection={value} />
      {can('inspections:write') && !processing ? <Remove id={id} /> : null}
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
        confirmLabel="Delete for good"
        busy={work.busy}
        onConfirm={() =>
          work.run(async () => {
            await callApi('DELETE', `/inspections/visual/${id}`);
            navigate('');
          })
        }
      >
        Delete…
      </Confirm>
    </p>
  );
}
