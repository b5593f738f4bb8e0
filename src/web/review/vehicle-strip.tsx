import { THUMBNAIL_SIDE } from '../../domain/photo.ts';
import { formatCount } from '../../lib/format-count.ts';
import { formatRoundMoney } from '../../report/figures.ts';
import { describeVerdict } from '../../report/headline.ts';
import { DRAGGED_PHOTO, moveToPosition, showPhoto } from './actions.ts';
import { CommandButton } from './controls.tsx';
import { isOneVehicle } from './decisions.ts';
import { makePhotoUrl } from './review-api.ts';
import * as state from './state.ts';

/** Returns the figures of a vehicle; undefined until the service has applied the grouping. */
export function findFigures(at: number) {
  const images = String(state.vehicles.value[at]?.images);
  if (state.severalVehicles.value === null)
    return state.vehicles.value.length === 1 ? state.snapshot.value?.results : undefined;
  return state.severalVehicles.value.vehicles?.find((one) => String(one.images) === images);
}

export function nameVehicle(at: number): string {
  const figures = findFigures(at);
  return `Vehicle ${at + 1}${figures && 'color' in figures ? ` ${figures.color}` : ''}`;
}

export function describeVehicle(at: number): string {
  const figures = findFigures(at);
  if (figures === undefined) return '…';
  const { repair_cost: cost, damage_summary: summary } = figures;
  const price = cost.items > 0 ? `, about ${formatRoundMoney(cost.estimated, cost.currency)}` : '';
  return `${describeVerdict(figures)}, ${formatCount(summary.total_damages, 'damage')}${price}`;
}

/** Renders the vehicles if there are, or were, several; each links to its first photo and accepts dragged photos. */
export function VehicleStrip() {
  const isOne = isOneVehicle(state.decisions.value);
  if (state.vehicles.value.length < 2 && !isOne) return null;
  return (
    <nav class="strip vehicles" aria-label="Vehicles">
      {state.vehicles.value.map(({ vehicle, images }, at) => {
        const first = state.photos.value.find(({ index }) => images.includes(index))?.index ?? 0;
        return (
          <button
            key={vehicle}
            type="button"
            aria-current={state.findVehicleOf(state.photoIndex.value) === at}
            data-vehicle={at + 1}
            onClick={() => showPhoto(first)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              const photo = event.dataTransfer?.getData(DRAGGED_PHOTO);
              if (photo) moveToPosition(Number(photo), at);
            }}
          >
            <img src={makePhotoUrl(first, THUMBNAIL_SIDE)} alt="" />
            <span>
              <strong>{nameVehicle(at)}</strong>
              <br />
              {describeVehicle(at)}
            </span>
          </button>
        );
      })}
      <CommandButton command="oneVehicle" isPressed={isOne}>
        All one vehicle
      </CommandButton>
    </nav>
  );
}
