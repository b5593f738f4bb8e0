import { describeDamage, describeFindPart } from '../../../report/words.ts';
import { Dialog } from '../../shared/controls.tsx';
import { CarPlan } from '../plan-view.tsx';
import { closeDialog, rows, select } from '../store.ts';

/** Renders where on the car the findings are. */
export function PlanDialog() {
  const parts = [...new Set(rows.value.map(({ damage }) => describeFindPart(damage.location)))];
  return (
    <Dialog title="Plan of the car" onClose={closeDialog}>
      <CarPlan />
      <ul class="parts">
        {parts.map((part) => {
          const here = rows.value.filter(({ damage }) => describeFindPart(damage.location) === part);
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
                  .map(({ number, damage }) => `no. ${number} ${describeDamage(damage.type).toLowerCase()}`)
                  .join(', ')}
              </button>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
