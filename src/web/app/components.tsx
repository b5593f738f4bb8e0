import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Renders an error as an alert for screen readers. */
export function Problem({ children }: { readonly children: ComponentChildren }) {
  return children ? (
    <p class="problem" role="alert">
      {children}
    </p>
  ) : null;
}

/** Renders the title of a view; it receives focus when the view changes. */
export function Title({ children }: { readonly children: string }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · vehi`;
    ref.current?.focus();
  }, [children]);
  return (
    <h1 ref={ref} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** Renders a secret that is displayed only once, in a field, with a Copy button. */
export function Secret({ label, text }: { readonly label: string; readonly text: string }) {
  const ref = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState('');
  // The key that was rotated may be far below.
  useEffect(() => ref.current?.focus(), []);
  const copy = () => {
    ref.current?.select();
    // navigator.clipboard does not exist on a page over plain HTTP.
    setOutcome(document.execCommand('copy') ? 'Copied.' : 'Not copied: it is selected, press Ctrl+C.');
  };
  return (
    <div class="card once" role="status">
      <label>
        {label}
        <input ref={ref} type="text" readonly value={text} onFocus={() => ref.current?.select()} />
      </label>
      <p class="actions">
        <button type="button" onClick={copy}>
          Copy
        </button>
        {outcome}
      </p>
    </div>
  );
}

/** Renders a time in the user's time zone; null is never. */
export function Time({ iso }: { readonly iso: string | null }) {
  if (iso === null) return <span>never</span>;
  const text = new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return <time dateTime={iso}>{text}</time>;
}

type Names = readonly string[];

/** Renders column headers; an empty name is the column of the rows' buttons. */
export function HeadRow({ names, numericNames = [] }: { names: Names; numericNames?: Names }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col" class={numericNames.includes(name) ? 'amount' : ''}>
            {name || <span class="hidden">Actions</span>}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Renders a table that scrolls, also by keyboard, if it is wider than the window. */
export const Scroll = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section class="scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
);
