import type { VisualRequest } from '../../../contract/requests.ts';
import { VISUAL_DEFAULTS } from '../../../domain/visual-options.ts';
import { readSignedIn } from '../api.ts';

export type Options = NonNullable<VisualRequest['options']>;

/** Default options; a review needs the measured sizes to change a finding. */
export const USUAL_OPTIONS: Options = { detailed_analysis: true };

const CHOICES = [
  ['detailed_analysis', 'Measure each damage'],
  ['generate_report', 'Make the PDF report'],
  ['detect_hidden_damage', 'List likely hidden damage'],
  ['skip_unusable_images', 'Continue without photos that cannot be used'],
] as const;

/** Renders the region, the currency and the contract's options. */
export function InspectionOptions({
  options,
  onChange,
}: {
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}) {
  const { regions, region, currencies, currency } = readSignedIn();
  const choose = (name: 'labor_rate_region' | 'currency', value: string) => {
    const { [name]: _before, ...others } = options;
    onChange(value === '' ? others : { ...others, [name]: value });
  };
  return (
    <details class="options">
      <summary>More</summary>
      <div class="pair">
        <label>
          Region of the rates
          <select
            value={options.labor_rate_region ?? ''}
            onChange={({ currentTarget }) => choose('labor_rate_region', currentTarget.value)}
          >
            <option value="">{region}, as the service is set</option>
            {regions.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        </label>
        <label>
          Currency
          <select
            value={options.currency ?? ''}
            onChange={({ currentTarget }) => choose('currency', currentTarget.value)}
          >
            <option value="">{currency}, as the service is set</option>
            {currencies.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        </label>
      </div>
      {CHOICES.map(([name, words]) => (
        <label key={name} class="choice">
          <input
            type="checkbox"
            checked={options[name] ?? VISUAL_DEFAULTS[name]}
            onChange={({ currentTarget }) => onChange({ ...options, [name]: currentTarget.checked })}
          />
          {words}
        </label>
      ))}
    </details>
  );
}
