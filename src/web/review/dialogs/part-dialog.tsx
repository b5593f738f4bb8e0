import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { OUTSIDE_PARTS, type PartName } from '../../../domain/parts.ts';
import { fitTypeToPart } from '../../../domain/possible-types.ts';
import { UNLISTED_PARTS } from '../../../domain/unlisted-parts.ts';
import { describeDamage, describePlace } from '../../../report/words.ts';
import { Dialog } from '../controls.tsx';
import { type NamedPlace, pendingBox, setPart } from '../drawing.ts';
import { proposePlacement } from '../review-api.ts';
import { closeDialog, current } from '../state.ts';

/** Renders parts and attached items, those under the box first; typing filters, Enter selects the first match. */
export function PartDialog() {
  const row = current.value;
  const query = useSignal('');
  const proposed = useSignal<readonly { readonly part: PartName; readonly share: number }[]>([]);
  const pending = pendingBox.value;
  const currentPart = pending ? undefined : row?.damage.location.part;
  const type = pending?.type ?? row?.damage.type;
  useEffect(() => {
    const [best] = row?.boxes ?? [];
    const place = pending ?? (best && { image_index: best.imageIndex, box: best.box });
    if (!place || !type) return;
    proposePlacement(place.image_index, place.box, { type })
      .then(({ alternatives }) => {
        proposed.value = alternatives;
      })
      .catch(() => undefined);
  }, []);
  const words = query.value
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean);
  const first = proposed.value.map(({ part }) => part);
  const places: readonly NamedPlace[] = [
    ...[...first, ...OUTSIDE_PARTS.filter((part) => !first.includes(part))].map((part) => ({ part })),
    ...UNLISTED_PARTS,
  ];
  const matches = places.filter((place) =>
    words.every((word) => describePlace(place).toLowerCase().includes(word)),
  );
  const describeChange = (part: PartName) => {
    const fittingType = type && part !== currentPart ? fitTypeToPart(type, part) : type;
    return fittingType && fittingType !== type
      ? ` · as ${describeDamage(fittingType, undefined, part).toLowerCase()}`
      : '';
  };
  const close = () => {
    pendingBox.value = null;
    closeDialog();
  };
  return (
    <Dialog title="Part" onClose={close}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          const [best] = matches;
          if (best) setPart(best);
        }}
      >
        <label>
          Search
          <input
            autofocus
            type="text"
            value={query.value}
            onInput={({ currentTarget }) => {
              query.value = currentTarget.value;
            }}
          />
        </label>
        <ul class="parts">
          {matches.map((place) => {
            const { part, subtype } = place;
            const share = subtype ? undefined : proposed.value.find((one) => one.part === part)?.share;
            return (
              <li key={`${part} ${subtype}`}>
                <button type="button" data-part={subtype ?? part} onClick={() => setPart(place)}>
                  {describePlace(place)}
                  {share === undefined ? '' : ` · ${Math.round(share * 100)} % of the box`}
                  {subtype ? '' : describeChange(part)}
                </button>
              </li>
            );
          })}
        </ul>
      </form>
    </Dialog>
  );
}
