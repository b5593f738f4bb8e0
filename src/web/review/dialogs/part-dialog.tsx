import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { OUTSIDE_PARTS, type PartName } from '../../../domain/parts.ts';
import { fitTypeToPart } from '../../../domain/possible-types.ts';
import { UNLISTED_PARTS } from '../../../domain/unlisted-parts.ts';
import { describeDamage, describePlace } from '../../../report/words.ts';
import { onSubmit } from '../../shared/forms.ts';
import { Dialog } from '../controls.tsx';
import { dropBox, type NamedPlace, setPart } from '../drawing.ts';
import { proposePlacement } from '../review-api.ts';
import type { Row } from '../rows.ts';
import { closeDialog, current, type WaitingBox, waitingBox } from '../state.ts';

/** Asks for the part of the finding that was selected when the dialog was opened. */
export function PartDialog() {
  const [row] = useState(current.value);
  return row && <Parts subject={row} />;
}

/** Asks for the part of the drawn box that has waited longest. */
export function BoxDialog() {
  const { value: box } = waitingBox;
  return box && <Parts key={box} subject={box} />;
}

/** Renders parts and attached items, those under the box first; typing filters, Enter selects the first match. */
function Parts({ subject }: { readonly subject: Row | WaitingBox }) {
  const isFinding = 'damage' in subject;
  const { type } = isFinding ? subject.damage : subject;
  const currentPart = isFinding ? subject.damage.location.part : undefined;
  const query = useSignal('');
  const proposed = useSignal<readonly { readonly part: PartName; readonly share: number }[]>([]);
  useEffect(() => {
    const [best] = isFinding ? subject.boxes : [{ ...subject, imageIndex: subject.image_index }];
    if (!best) return;
    proposePlacement(best.imageIndex, best.box, { type })
      .then(({ alternatives }) => {
        proposed.value = alternatives;
      })
      .catch(() => undefined);
  }, []);
  const first = proposed.value.map(({ part }) => part);
  const matches = findPlaces(query.value, first);
  const describeChange = (part: PartName) => {
    const fittingType = part !== currentPart ? fitTypeToPart(type, part) : type;
    return fittingType !== type ? ` · as ${describeDamage(fittingType, undefined, part).toLowerCase()}` : '';
  };
  const close = () => {
    if (!isFinding) dropBox(subject);
    closeDialog();
  };
  return (
    <Dialog title="Part" onClose={close}>
      <form onSubmit={onSubmit(() => matches[0] && setPart(subject, matches[0]))}>
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
                <button type="button" data-part={subtype ?? part} onClick={() => setPart(subject, place)}>
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

/** Lists the parts and attached items whose names contain each word of the query; the proposed parts come first. */
export function findPlaces(query: string, proposed: readonly PartName[]): readonly NamedPlace[] {
  const words = query.toLowerCase().match(/[^\s_]+/g) ?? [];
  const parts = new Set([...proposed, ...OUTSIDE_PARTS]);
  return [...[...parts].map((part) => ({ part })), ...UNLISTED_PARTS].filter((place) =>
    words.every((word) => describePlace(place).toLowerCase().includes(word)),
  );
}
