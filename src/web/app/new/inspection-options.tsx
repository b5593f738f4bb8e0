import { signal } from '@preact/signals';
import type { VisualRequest } from '../../../contract/requests.ts';
import { VISUAL_DEFAULTS } from '../../../domain/visual-options.ts';
import { readSession } from '../../shared/api.ts';

type Options = NonNullable<VisualRequest['options']>;

/** A review needs the measured sizes to change a finding. */
export const DEFAULT_OPTIONS: Options = { detailed_analysis: true };
export const options = signal(DEFAULT_OPTIONS);

const CHOICES = [
  ['detailed_analysis', 'Measure each damage'],
  ['generate_report', 'Make the PDF report'],
  ['detect_hidden_damage', 'List likely hidden damage'],
  ['one_vehicle', 'All photos show one car, even if its paint differs'],
  ['skip_unusable_images', 'Continue without photos that cannot be used'],
] as const;

export function InspectionOptions() {
  const { regions, region, currencies, currency } = readSession();
  const selects = [
    { name: 'labor_rate_region', label: 'Region of the rates', preset: region, codes: regions },
    { name: 'currency', label: 'Currency', preset: currency, codes: currencies },
  ] as const;
  const choose = (name: 'labor_rate_region' | 'currency', value: string) => {
    const { [name]: _before, ...others } = options.value;
    options.value = value === '' ? others : { ...others, [name]: value };
  };
  return (
    <details class="options">
      <summary>More</summary>
      <div class="pair">
        {selects.map(({ name, label, preset, codes }) => (
          <label key={name}>
            {label}
            <select
              value={options.value[name] ?? ''}
              onChange={({ currentTarget }) => choose(name, currentTarget.value)}
            >
              <option value="">{preset}, the default of the service</option>
              {codes.map((code) => (
                <option key={code}>{code}</option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {CHOICES.map(([name, words]) => (
        <label key={name} class="choice">
          <input
            type="checkbox"
            checked={options.value[name] ?? VISUAL_DEFAULTS[name]}
            onChange={({ currentTarget }) => {
              options.value = { ...options.value, [name]: currentTarget.checked };
            }}
          />
          {words}
        </label>
      ))}
    </details>
  );
}
