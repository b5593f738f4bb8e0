import { computed, signal } from '@preact/signals';

const readAddress = () => location.hash.replace(/^#\/?/, '').split('?');

const address = signal(readAddress());

addEventListener('hashchange', () => {
  address.value = readAddress();
});

/** The path after the hash; empty for the list of inspections. */
export const path = computed(() => address.value[0] ?? '');
/** The query after the path: what the list of inspections shows. */
export const query = computed(() => new URLSearchParams(address.value[1]));

export function navigate(to: string): void {
  location.hash = `#/${to}`;
}

/** Changes the query without a step in the browser's history. */
export function replaceQuery(next: URLSearchParams): void {
  history.replaceState(null, '', `#/${path.value}?${next}`);
  address.value = readAddress();
}
