import { signal } from '@preact/signals';

const read = () => location.hash.replace(/^#\/?/, '');

/** The path after the hash; empty for the list of inspections. */
export const path = signal(read());

addEventListener('hashchange', () => {
  path.value = read();
});

/** Navigates to a view. */
export function go(to: string): void {
  location.hash = `#/${to}`;
}
