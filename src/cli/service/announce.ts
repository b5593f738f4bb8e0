import { defined } from '../../lib/objects.ts';

/** What a service says once it answers. */
export interface Start {
  readonly address: string;
  /** Address of `/metrics`, if it has a port of its own. */
  readonly metrics?: string | undefined;
  /** New key of the sandbox. */
  readonly api_key?: string | undefined;
  readonly demo_photos?: readonly string[];
}

/** Formats the start for programs: one line of JSON. */
export function formatStart(start: Start): string {
  return `${JSON.stringify(defined(start))}\n`;
}

/** Formats the start for a person in two lines: where to open the page, and the key to sign in with. */
export function describeStart({ address, api_key: key }: Start): string {
  const page = `Open  ${address}/app/\n`;
  return `${page}Key   ${key ?? 'as shown when it was created; another: vehi admin keys create'}\n`;
}
