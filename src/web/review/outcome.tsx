import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { readFileName } from '../../report/figures.ts';
import { listFigures } from '../../report/headline.ts';
import { isTicked } from './decide.ts';
import { ExportButtons } from './dialogs/export-dialog.tsx';
import { decisions, inspection, photos, snapshot } from './store.ts';

/** Renders what a review comes to in three figures: repair, damage and what is open; and the photos not looked through. */
export function Figures() {
  const [found, last] = [inspection.value, snapshot.value];
  if (!found || !last) return null;
  // The figures read nothing else of an envelope.
  const reviewed = { data: { ...found, results: last.results } } as InspectionEnvelope;
  const left = photos.value.filter(({ index }) => !isTicked(decisions.value, index));
  const names = left.map(({ url }) => readFileName(url)).join(', ');
  return (
    <>
      <dl class="outcome">
        {listFigures({ inspection: reviewed, assessment: null }).map(({ label, value, note }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <strong>{value}</strong> {note}
            </dd>
          </div>
        ))}
      </dl>
      <p class="facts">
        {left.length === 0
          ? 'Every photo was looked through to the end.'
          : `${left.length} of ${photos.value.length} photos not ticked as looked through: ${names}`}
      </p>
    </>
  );
}

/** Renders the outcome of a finished review, with the files to send. */
export function Outcome() {
  const damages = snapshot.value?.results.damages ?? [];
  return (
    <>
      <Figures />
      <ExportButtons names={damages.length > 0 ? ['pdf', 'json', 'estimate'] : ['pdf', 'json']} />
    </>
  );
}
