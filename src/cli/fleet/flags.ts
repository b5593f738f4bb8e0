import type { InspectFlags } from '../inspect/flags.ts';
import { type FolderOutput, parseFolderOutput } from '../outputs/parse-output.ts';
import { makeRequestError } from '../terminal/usage-errors.ts';

/** Flags that make sense for one vehicle only, and what does the same for many. */
const OF_ONE = {
  vehicleId: ['--vehicle-id', 'The id comes from vehi.json, the name of the folder or the list.'],
  set: ['--set', 'Each vehi.json has its own claim and vehicle.'],
  review: ['--review', 'Review one vehicle after the other: vehi review RESULT.'],
  remote: ['--remote', 'Many vehicles are inspected on this machine.'],
} as const satisfies Partial<Record<keyof InspectFlags, readonly [flag: string, hint: string]>>;

/**
 * Throws VehiError kind `usage` for flags that do not go with many vehicles, and where photos are named next to them.
 */
export function refuseFlagsOfOne(args: readonly string[], flags: InspectFlags): void {
  for (const [name, [flag, hint]] of Object.entries(OF_ONE)) {
    if (flags[name as keyof typeof OF_ONE] !== undefined)
      throw makeRequestError(`${flag} does not go with many vehicles.`, hint);
  }
  if (args.length > 0)
    throw makeRequestError(
      `--many ${flags.many} names the vehicles itself, and ${args[0]} was given too.`,
      'For example vehi inspect --many ./fleet',
    );
}

/** Where the files of many vehicles go; every folder as given. */
interface OutputFolders {
  /** The JSON of each vehicle, and summary.csv. */
  readonly results: string;
  /** One file per vehicle of each of these kinds. */
  readonly outputs: readonly FolderOutput[];
}

/**
 * Parses the folders of `--output`: `FOLDER` (or `json=FOLDER`) for the results, `KIND=FOLDER` for another kind.
 * @throws VehiError kind `usage` for more than one folder of results, an unknown kind, or a path that is not a folder
 */
export function parseOutputFolders({ output = [] }: InspectFlags): OutputFolders {
  const outputs = output.map(parseFolderOutput);
  const [first, second] = outputs.filter(({ kind }) => kind === 'json');
  if (second !== undefined)
    throw makeRequestError('--output names two folders for the results; one is needed.', EXAMPLE);
  return { results: first?.folder ?? 'vehi-results', outputs: outputs.filter(({ kind }) => kind !== 'json') };
}

const EXAMPLE = 'For example --output results --output pdf=reports';

/**
 * Returns the format in which the summary goes to stdout.
 * @throws VehiError kind `usage` for a format that shows one vehicle.
 */
export function chooseSummaryFormat({ json, format }: InspectFlags): 'table' | 'json' | 'csv' {
  if (json) return 'json';
  if (format === undefined || format === 'table') return 'table';
  if (format === 'json' || format === 'csv') return format;
  throw makeRequestError(`--format ${format} shows one vehicle.`, 'For many vehicles: table, json or csv.');
}
