import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Flags, OPTIONS, type OptionName, type OptionRow } from '../../config/options.ts';
import { listChoices, readValue } from '../../config/values.ts';

type Headings = Readonly<Record<string, readonly OptionName[]>>;

const SERVICE = ['remote', 'baseUrl', 'apiKeyFile', 'profile'] as const;
const SHARED = ['database', 'redis', 'objects'] as const;
const WEBHOOKS = ['baseUrl', 'apiKeyFile', 'profile', 'json'] as const;
const STORE = ['data', 'database', 'json'] as const;

/** Heading of accepted but undocumented flags: for scripts, tests and the contract's option. */
const HIDDEN = 'hidden';

/** Flags of each command in help order, keyed by heading; '' means no heading. */
export const COMMANDS = {
  inspect: {
    'Photos:': ['recursive', 'vehicleId', 'oneVehicle', 'strict', 'set'],
    'Many vehicles:': ['many', 'resume', 'shard'],
    'Findings:': ['hiddenDamage', 'sensitivity'],
    'Prices:': ['region', 'currency', 'assess', 'edit', 'settlement'],
    'Output:': [
      'json',
      'format',
      'output',
      'annotated',
      'review',
      'save',
      'redact',
      'quiet',
      'verbose',
      'failOn',
    ],
    'Service:': ['remote'],
    [HIDDEN]: ['detailed', 'minConfidence', 'models', 'now'],
  },
  assess: {
    'Damages:': ['damage', 'overrides', 'edit', 'supplement', 'settlement'],
    'Vehicle:': ['vehicleId', 'set', 'marketValue'],
    'Prices:': ['region', 'regions', 'currency', 'associated', 'partPrices', 'timeline'],
    'Output:': ['json', 'format', 'output', 'pageSize', 'language', 'explain', 'quiet', 'failOn', 'now'],
    'Service:': SERVICE,
  },
  review: {
    'Decisions:': ['decisions', 'reviewer', 'review.output', 'now'],
    'Result:': ['photos', 'regions', 'models'],
    'Page:': ['open', 'review.port', 'review.host', 'allowHost', 'idleMinutes'],
  },
  report: {
    'Content:': ['assessment', 'set', 'photos', 'redact'],
    'Output:': ['format', 'report.output', 'pageSize', 'language', 'failOn', 'quiet', 'now'],
  },
  compare: {
    'Photos:': ['photosBefore', 'photosAfter', 'redact'],
    'Comparison:': ['anyVehicle', 'decide', 'compare.failOn'],
    'Output:': ['json', 'compare.format', 'report.output', 'pageSize', 'language', 'quiet', 'now'],
  },
  verify: { '': ['verify.key', 'json'] },
  history: { '': ['vehicleId', 'kind', 'limit', 'json'] },
  serve: {
    'Address:': [
      'host',
      'port',
      'tlsCert',
      'tlsKey',
      'baseUrl',
      'reportsUrl',
      'resultsUrl',
      'trustProxy',
      'metricsPort',
      'corsOrigin',
      'app',
    ],
    'Storage:': ['data', 'ephemeral', ...SHARED, 'keepDays', 'keepPhotos', 'keepViews'],
    'Work:': ['workers', 'work', 'webhooks', 'queue', 'inlineImages', 'inlineSeconds'],
    'Photos:': ['allowHttpImages', 'allowPrivateImages', 'allowFiles', 'service.redact'],
    'Testing:': ['sandbox', 'seed', 'now'],
    'Engine:': ['region', 'regions', 'currency', 'minConfidence', 'models', 'threads', 'logLevel'],
  },
  work: {
    'Shared resources:': [...SHARED, 'baseUrl', 'reportsUrl', 'resultsUrl', 'sandbox'],
    'Work:': ['work.workers', 'threads', 'grace'],
    'Storage:': ['keepDays', 'keepPhotos', 'keepViews'],
    'Monitoring:': ['metricsPort', 'host', 'logLevel'],
    'Engine:': [
      'region',
      'regions',
      'currency',
      'minConfidence',
      'models',
      'allowPrivateImages',
      'service.redact',
    ],
  },
  'auth login': { '': ['baseUrl', 'apiKeyFile'] },
  'auth test': { '': ['baseUrl', 'apiKeyFile', 'profile', 'json'] },
  'auth logout': { '': ['profile'] },
  'auth status': { '': ['json'] },
  'admin keys create': {
    '': STORE,
    'Account:': ['account', 'newAccount', 'plan'],
    'Key:': ['environment', 'permissions', 'name', 'expiresDays'],
  },
  'admin keys list': { '': [...STORE, 'account'] },
  'admin keys rotate': { '': [...STORE, 'graceHours'] },
  'admin keys revoke': { '': STORE },
  'admin accounts list': { '': STORE },
  'admin accounts update': {
    '': STORE,
    'Changes:': ['plan', 'status', 'requestsPerHour', 'concurrentRequests'],
  },
  'admin webhooks add': { '': [...WEBHOOKS, 'event', 'description'] },
  'admin webhooks list': { '': WEBHOOKS },
  'admin webhooks test': { '': WEBHOOKS },
  'admin webhooks deliveries': { '': WEBHOOKS },
  'admin webhooks replay': { '': WEBHOOKS },
  'admin webhooks remove': { '': WEBHOOKS },
  'admin data backup': { '': ['data'] },
  'admin data purge': {
    'Scope:': ['olderThanDays', 'purge.vehicle', 'inspection', 'account'],
    'Options:': ['data', 'database', 'objects', 'yes'],
  },
  'admin data migrate': { '': ['database'] },
  'admin data import': { '': ['import.from', 'database', 'objects', 'json'] },
  'admin schema': { '': ['of'] },
  'admin evidence-key': { '': ['json'] },
  'regions list': { '': ['json', 'regions'] },
  'regions show': { '': ['json', 'regions'] },
  'regions new': { '': ['from', 'regions'] },
  'regions fit': { '': ['from', 'code', 'regions'] },
  'regions validate': { '': ['json'] },
  'models list': { '': ['json', 'models'] },
  'models verify': { '': ['json', 'models'] },
  'models info': { '': ['json', 'models'] },
  'models eval': {
    '': ['json', 'models', 'annotations', 'images'],
    'Measurement:': ['corrections', 'clean', 'only', 'eval.limit', 'sensitivity'],
    'Inference:': ['precision', 'threads'],
  },
  init: {
    '': ['yes', 'force'],
    'Settings:': [
      'region',
      'currency',
      'models',
      'regions',
      'threads',
      'precision',
      'sensitivity',
      'minConfidence',
      'certainFrom',
      'toCheckFrom',
      'failOn',
      'format',
      'dataDir',
      'concurrency',
      'font',
      'inspector',
      'baseUrl',
      'pageSize',
      'language',
      'profile',
      'wait',
    ],
  },
  'config list': { '': ['sources', 'json'] },
  doctor: { '': ['models', 'baseUrl', ...SHARED, 'json'] },
} as const satisfies Readonly<Record<string, Headings>>;

type Commands = typeof COMMANDS;
export type CommandPath = keyof Commands;
type NamesOf<H> = { [K in keyof H]: H[K] extends readonly (infer N)[] ? N : never }[keyof H];

/** Parsed flags of a command; the mapped type keeps the union of a generic `C` unevaluated. */
export type FlagsOf<C extends CommandPath> = Flags<
  { [P in C]: NamesOf<Commands[P]> }[C] extends infer N extends OptionName ? N : never
>;

/**
 * Adds the flags of a command.
 * @param words descriptions that differ for this command
 */
export function addOptions(
  command: Command,
  path: CommandPath,
  words: Readonly<Partial<Record<OptionName, string>>>,
): void {
  for (const [heading, names] of Object.entries<readonly OptionName[]>(COMMANDS[path])) {
    if (heading !== '') command.optionsGroup(heading);
    for (const name of names)
      command.addOption(makeOption(OPTIONS[name], words[name]).hideHelp(heading === HIDDEN));
  }
}

function makeOption(row: OptionRow, words: string | undefined): Option {
  const option = new Option(row.flag, words ?? row.description);
  option.makeOptionMandatory(Boolean(row.isRequired)).conflicts([...(row.conflicts ?? [])]);
  if (typeof row.fallback !== 'boolean') option.default(row.fallback);
  const { type, minLength } = row.schema as { readonly type?: string; readonly minLength?: number };
  const choices = listChoices(row);
  if (choices) return option.choices(choices);
  if (type === 'array') return option.variadic ? option : option.argParser(collect);
  if (type === 'boolean' || (type === 'string' && minLength === undefined)) return option;
  return option.argParser((value) => {
    const read = readValue(row.schema, value);
    if ('value' in read) return read.value;
    throw new InvalidArgumentError(
      type === 'string'
        ? 'It is empty; a variable in the command may be unset.'
        : `${read.needed.charAt(0).toUpperCase()}${read.needed.slice(1)} is needed.`,
    );
  });
}

const collect = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];
