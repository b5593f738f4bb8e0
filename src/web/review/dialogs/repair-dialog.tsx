import { MAX_PRICE } from '../../../contract/constants.ts';
import type { Damage } from '../../../contract/inspection.ts';
import type { ExpectedOperation } from '../../../contract/repair.ts';
import { describeDamages } from '../../../domain/damage-words.ts';
import { findExponent } from '../../../domain/money.ts';
import { formatMoney, formatPercent, roundLengthCm } from '../../../report/figures.ts';
import { describeSeveralVehicles } from '../../../report/headline.ts';
import { capitalize } from '../../../report/translator.ts';
import { describeLine, describeOperation, describeRepairedPlace } from '../../../report/words.ts';
import { StoredInput } from '../../shared/stored-input.tsx';
import { Dialog } from '../controls.tsx';
import { decide } from '../decide.ts';
import { findPrice, findVerdict, setPrice, toggleOperation } from '../decisions.ts';
import { decisions, severalVehicles, snapshot } from '../state.ts';

/** Renders one row per part with its editable price, and the expected operations. */
export function RepairDialog() {
  const several = severalVehicles.value;
  // Several vehicles have no job in common.
  const results = several === null ? snapshot.value?.results : null;
  const rows = (results?.repair_lines ?? []).flatMap(({ kind, part, damage_ids: ids, ...row }) =>
    kind === 'part' && part !== null
      ? [{ ...row, part, damages: results?.damages.filter(({ damage_id: id }) => ids.includes(id)) ?? [] }]
      : [],
  );
  const operations = results?.expected_operations ?? [];
  return (
    <Dialog title="Repair" isWide>
      {several !== null ? <p>{capitalize(describeSeveralVehicles(several))}.</p> : null}
      {several === null && rows.length === 0 ? <p>Nothing is repaired so far.</p> : null}
      <ul class="repair">
        {rows.map(({ part, damages, action, cost, currency }) => (
          <li key={part}>
            <label>
              <span>
                <strong>{describeRepairedPlace(part, damages)}</strong> {describeSized(damages, part)};{' '}
                {action}
              </span>
              <span class="money">
                {currency}
                <StoredInput
                  attributes={{
                    type: 'number',
                    min: '0',
                    max: MAX_PRICE,
                    step: 'any',
                    inputMode: 'decimal',
                    placeholder: cost.toFixed(findExponent(currency)),
                    'data-line': part,
                  }}
                  value={String(findPrice(decisions.value, part) ?? '')}
                  onStore={(price) =>
                    decide(setPrice(decisions.value, part, price === '' ? null : Number(price)))
                  }
                />
              </span>
            </label>
          </li>
        ))}
      </ul>
      {operations.length === 0 ? null : (
        <>
          <h3>Usually comes with it</h3>
          <p class="facts">
            Each counts by its share of such jobs, or not at all where it says so, until you include it in
            full or leave it out.
          </p>
          <ul class="repair">
            {operations.map((one) => (
              <Operation key={one.line_id} of={one} />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

/** Describes the damages of a part as its row does, but with sizes rounded to their uncertainty, as in the panel. */
const describeSized = (damages: readonly Damage[], part: string) =>
  describeDamages(damages.map((one) => ({ ...one, part, sizeCm: roundLengthCm(one) })));

const VERDICTS = { include: 'Include', exclude: 'Leave out' } as const;

function Operation({ of: { line_id: id, counted_in: counted, ...of } }: { readonly of: ExpectedOperation }) {
  const decided = findVerdict(decisions.value, id);
  const name = `${describeLine(of)}: ${describeOperation(of.operation)}`;
  return (
    <li>
      <span>
        {name}{' '}
        <small>
          {formatMoney(of.cost, of.currency)}, {formatPercent(of.share_of_jobs)} of jobs
          {counted === 'none' && decided === undefined ? ', not counted' : ''}
        </small>
      </span>
      <span class="verdicts">
        {(['include', 'exclude'] as const).map((verdict) => (
          <button
            key={verdict}
            type="button"
            data-operation={`${verdict}:${id}`}
            aria-label={`${VERDICTS[verdict]}: ${name}`}
            aria-pressed={decided === verdict}
            onClick={() => decide(toggleOperation(decisions.value, id, verdict))}
          >
            {VERDICTS[verdict]}
          </button>
        ))}
      </span>
    </li>
  );
}
