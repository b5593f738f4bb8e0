import { signal } from '@preact/signals';

const readPath = () => location.hash.replace(/^#\/?/, '');

/** The path after the hash; empty for the list of inspections. */
export const path = signal(readPath());

addEventListener('hashchange', () => {
  path.value = readPath();
});

export function navigate(to: string): void {
  location.hash = `#/${to}`;
}
