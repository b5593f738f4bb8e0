import type { WaitingPhoto } from '../../../contract/review.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { readFileName } from '../../../report/figures.ts';
import { makeFileUrl } from '../../app/api.ts';
import { waiting } from '../store.ts';

/** Renders the photos during analysis, before the review exists. */
export function WaitingForPhotos() {
  const { vehicle_id, waiting: list } = waiting.value ?? { vehicle_id: '', waiting: [] };
  if (list.length === 0) return <main class="message">Opening…</main>;
  const done = list.filter(({ state }) => state !== 'waiting').length;
  return (
    <main class="waiting">
      <h1>{vehicle_id}</h1>
      <p role="status">
        {done} of {list.length} photos analysed
      </p>
      <progress max={list.length} value={done} aria-label="Photos analysed" />
      <ul aria-label="Photos">
        {list.map((one, index) => (
          <li key={index} class={one.state} data-waiting={index}>
            <img src={one.picture ? makeFileUrl(one.picture) : 'data:,'} alt="" />
            <span>
              {readFileName(one.url)}
              <small>{describeState(one)}</small>
            </span>
          </li>
        ))}
      </ul>
    </main>
  );
}

function describeState({ state, sightings }: WaitingPhoto): string {
  if (state === 'waiting') return 'not looked at yet';
  if (state === 'rejected') return 'cannot be used';
  if (sightings === 0) return 'nothing seen';
  return formatCount(sightings, 'possible damage');
}
