import { moveToPosition } from '../actions.ts';
import { CommandButton, Dialog, Key } from '../controls.tsx';
import { isOneVehicle } from '../decisions.ts';
import { decisions, findVehicleOf, namePhotoAt, photoIndex, vehicles } from '../state.ts';
import { nameVehicle } from '../vehicle-strip.tsx';

export function VehicleDialog() {
  return (
    <Dialog title="Vehicle">
      <p>{namePhotoAt(photoIndex.value)} shows</p>
      <ul class="parts">
        {[...vehicles.value, null].map((one, at) => (
          <li key={at}>
            <button
              type="button"
              aria-pressed={at === findVehicleOf(photoIndex.value)}
              onClick={() => moveToPosition(photoIndex.value, at)}
            >
              <span>{one ? nameVehicle(at) : 'Another vehicle'}</span>
              {at < 9 ? <Key>{at + 1}</Key> : null}
            </button>
          </li>
        ))}
        <li>
          <CommandButton command="oneVehicle" isPressed={isOneVehicle(decisions.value)}>
            All photos show one vehicle
          </CommandButton>
        </li>
      </ul>
    </Dialog>
  );
}
