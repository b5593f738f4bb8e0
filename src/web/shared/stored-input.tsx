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
  return (
    <input
      {...attributes}
      value={typed ?? value}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => {
        if (!currentTarget.reportValidity()) return;
        setTyped(null);
        onStore(currentTarget.value.trim());
      }}
    />
  );
}
