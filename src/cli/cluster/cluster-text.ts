import { join } from 'node:path';
import { quoteCommandLine } from '../terminal/shell-words.ts';
import { foldLines } from '../terminal/wrapped.ts';

/** What a person needs to know of a running cluster. */
interface ClusterFacts {
  readonly address: string;
  /** Undefined where it was removed from the folder. */
  readonly apiKey: string | undefined;
  /** The folder, as it was named. */
  readonly data: string;
  readonly workers: number;
  /** For example "PostgreSQL 15". */
  readonly postgres: string;
}

/** Returns the text of the file `env` in the folder: the addresses of all parts, for a shell. */
export function formatShellVariables(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(
    ([name, value]) => `export ${name}=${quoteCommandLine([value])}`,
  );
  return `# Read by a shell (". FILE"), it lets other vehi commands use this service.\n${lines.join('\n')}\n`;
}

/** Returns a number of workers in words, for example "2 workers". */
export const sayWorkers = (count: number): string => `${count} ${count === 1 ? 'worker' : 'workers'}`;

/** Returns what is printed once everything runs. */
export function renderClusterText(facts: ClusterFacts, columns: number): string {
  const { address, apiKey, data, workers, postgres } = facts;
  const path = (name: string) => quoteCommandLine([join(data, name)]);
  // The shell looks for a name without a slash elsewhere.
  const env = path('env').includes('/') && /^['./]/.test(path('env')) ? path('env') : `./${path('env')}`;
  const key = apiKey ?? `none in ${path('api-key')}; make one: vehi keys create`;
  const text = `Running: one API, ${sayWorkers(workers)}, ${postgres}, Redis

  Address  ${address}
  Page     ${address}/app
  API key  ${key}

In another terminal:

  . ${env}
  vehi inspect ./photos --remote    # the workers inspect them
  vehi doctor                       # tries every part
  vehi keys list

Logs are in ${path('logs')}. A part that ends is started again. Ctrl-C ends all of them; the same command continues with what is kept.
`;
  return foldLines(text, columns);
}
