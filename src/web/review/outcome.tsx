import type { InspectionResults } from '../../contract/inspection.ts';
import { listFigures } from '../../report/headline.ts';
import { ExportButtons } from './dialogs/export-dialog.tsx';
import { snapshot } from './store.ts';

/** Renders what a review came to: repair, damage and what is open, and the files to send. */
export function Outcome({ results }: { readonly results: InspectionResults }) {
  const reviewed = snapshot.value?.reviewed;
  const figures = reviewed ? listFigures({ inspection: reviewed, assessment: null }) : [];
  return (
    <>
      <dl class="outcome">
        {figures.map(({ label, value, note }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <strong>{value}</strong> {note}
            </dd>
          </div>
        ))}
      </dl>
      <ExportButtons names={results.damages.length > 0 ? ['pdf', 'json', 'estimate'] : ['pdf', 'json']} />
    </>
  );
}
