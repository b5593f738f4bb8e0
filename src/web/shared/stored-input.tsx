import type { InputHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';

/**
 * Renders a field with a stored value, which is stored when the user leaves the field. Typed text survives
 * re-rendering, which every response of the service causes; one that the field does not allow stays, with the reason.
 */
export function StoredInput(props: {
  readonly value: string;
  readonly onStore: (typed: string) => void;
  readonly attributes: InputHTMLAttributes<HTMLInputElement> & { readonly [data: `data-${string}`]: string };
}) {
  const { value, onStore, attributes } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const store = (field: HTMLInputElement) => {
    if (!field.reportValidity()) return;
    setTyped(null);
    onStore(field.value.trim());
  };
  return (
    <input
      {...attributes}
      value={typed ?? value}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value);
        // The button in a search field that clears it does not leave the field.
        if (attributes.type === 'search' && currentTarget.value === '') store(currentTarget);
      }}
      onChange={({ currentTarget }) => store(currentTarget)}
    />
  );
}
