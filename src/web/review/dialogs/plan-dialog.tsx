import { describeDamage, describeFindPart } from '../../../report/words.ts';
import { Dialog } from '../../shared/controls.tsx';
import { CarPlan } from '../plan-view.tsx';
import { closeDialog, rows, select } from '../store.ts';

/** Renders where on the car the findings are, without those that are rejected or merged. */
export function PlanDialog() {
  const shown = rows.value.filter(({ fate }) => fate !== 'rejected' && fate !== 'merged');
  const parts = [...new Set(shown.map(({ damage }) => describeFindPart(damage.location)))];
  return (
    <Dialog title="Plan of the car" onClose={closeDialog}>
      <CarPlan />
      <ul class="parts">
        {parts.map((part) => {
          const here = shown.filter(({ damage }) => describeFindPart(damage.location) === part);
          return (
            <li key={part}>
              <button
                type="button"
                onClick={() => {
                  closeDialog();
                  select(here[0]?.key ?? null);
                }}
              >
                {part}:{' '}
                {here
                  .map(
                    ({ number, damage }) =>
                      `no. ${number} ${describeDamage(damage.type, damage.subtype).toLowerCase()}`,
                  )
                  .join(', ')}
              </button>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
