import { VehiError } from '../../domain/errors.ts';
import type { InspectFlags } from '../commands/inspect.ts';

/** Flags that make sense for one vehicle only, and what does the same for many. */
const OF_ONE = {
  vehicleId: ['--vehicle-id', 'The id comes from vehi.json, the name of the folder or the list.'],
  annotated: ['--annotated', 'vehi report RESULT.json draws the photos of one vehicle.'],
  assess: ['--assess', 'vehi assess RESULT.json prices the options of one vehicle.'],
  save: ['--save', 'The results are kept in the folder that --output names.'],
  redact: ['--redact', 'No pictures are written for many vehicles.'],
  redactRegions: ['--redact-regions', 'No pictures are written for many vehicles.'],
  remote: ['--remote', 'Many vehicles are inspected on this machine.'],
} as const satisfies Partial<Record<keyof InspectFlags, readonly [flag: string, hint: string]>>;

/** @throws VehiError kind `usage` for flags that do not go with many vehicles, or nothing (or too much) to go through. */
export function refuseFlagsOfOne(args: readonly string[], flags: InspectFlags): void {
  for (const [name, [flag, hint]] of Object.entries(OF_ONE)) {
    if (flags[name as keyof typeof OF_ONE] !== undefined)
      throw refusal(`${flag} does not go with many vehicles.`, hint);
  }
  if (flags.vehicles !== undefined && (flags.perFolder || args.length > 0))
    throw refusal(
      '--vehicles names the folders itself.',
      'Leave out the folder and --per-folder, or --vehicles.',
    );
  if (flags.vehicles === undefined && (args.length !== 1 || args[0] === '-'))
    throw refusal(
      `--per-folder needs one folder; ${args.length} were given.`,
      'For example vehi inspect ./fleet --per-folder',
    );
}

/** The folder for the results. @throws VehiError kind `usage` for more than one. */
export function outputFolder({ output = [] }: InspectFlags): string {
  const [folder = 'vehi-results', second] = output;
  if (second !== undefined || folder === '' || folder === '-')
    throw refusal('--output names one folder for many vehicles.', 'For example --output results');
  return folder;
}

/** How the summary goes to stdout. @throws VehiError kind `usage` for a format that shows one vehicle. */
export function printedAs({ json, format }: InspectFlags): 'table' | 'json' | 'csv' {
  if (json) return 'json';
  if (format === undefined || format === 'table') return 'table';
  if (format === 'json' || format === 'csv') return format;
  throw refusal(`--format ${format} shows one vehicle.`, 'For many vehicles: table, json or csv.');
}

function refusal(message: string, hint: string): VehiError {
  return new VehiError('usage', 'INVALID_REQUEST', message, { hint });
}
