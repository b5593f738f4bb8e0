import { ACCOUNT_STATUSES, ENVIRONMENTS, MAX_KEY_DAYS, PLANS } from '../domain/account.ts';
import { LANGUAGES } from '../domain/language.ts';
import { PAGE_SIZES } from '../domain/page-size.ts';
import { SENSITIVITIES } from '../domain/sensitivity.ts';
import { CLAIM_FIELDS } from '../domain/vehicle/claim-file.ts';
import { EQUIPMENT_FACTS, PAINTS } from '../domain/vehicle/vehicle.ts';
import { defined } from '../lib/objects.ts';
import { type Static, type TSchema, Type } from '../lib/type.ts';

/** Further sources of a value besides its flag: an environment variable and a key in settings files. */
interface SettingFacts {
  readonly key: string;
  readonly env: string;
  readonly fallback: string | number | null;
  /** Sample value for a setting without a default. */
  readonly example?: string | number;
  /** True for a file or folder, which is relative to the settings file that contains it. */
  readonly isPath?: true;
}

interface OptionFacts {
  readonly setting?: SettingFacts;
  /** Value used without the flag, unless a setting provides one. */
  readonly fallback?: string | number | boolean;
  /** Options that exclude this one. */
  readonly conflicts?: readonly string[];
  /** True if its value is a file or folder that the command reads; no output may replace it. */
  readonly reads?: true;
}

/** A flag with its syntax, description and value schema. */
export type OptionRow<S extends TSchema = TSchema, M extends OptionFacts = OptionFacts> = OptionFacts & {
  readonly flag: string;
  readonly description: string;
  readonly schema: S;
} & M;

/** Returns the function that makes rows of one schema. */
const rowsOf =
  <S extends TSchema>(schema: S) =>
  <const M extends OptionFacts = object>(flag: string, description: string, facts?: M) =>
    ({ flag, description, schema, ...facts }) as OptionRow<S, M>;

const on = rowsOf(Type.Boolean());
/** `--no-x`: true unless given. */
const off = (flag: string, description: string) => on(flag, description, { fallback: true });
const text = rowsOf(Type.String());
/** A path or name, which must not be empty, because an unset shell variable would leave it so. */
const path = rowsOf(Type.String({ minLength: 1 }));
const list = rowsOf(Type.Array(Type.String()));
/** A share from 0 to 1. */
const share = rowsOf(Type.Number({ minimum: 0, maximum: 1 }));
const whole = <const M extends OptionFacts = object>(
  flag: string,
  description: string,
  minimum: number,
  maximum?: number,
  facts?: M,
) => rowsOf(Type.Integer(defined({ minimum, maximum })))(flag, description, facts);
const oneOf = <const C extends string, const M extends OptionFacts = object>(
  flag: string,
  description: string,
  choices: readonly C[],
  facts?: M,
) => rowsOf(Type.Unsafe<C>({ type: 'string', enum: choices }))(flag, description, facts);

const MAX_DAYS = 36_500;
const DEFAULT_REGION = 'US_MIDWEST';
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
const PATH = { fallback: null, isPath: true } as const;
const READS = { reads: true } as const;

/**
 * Flags of all commands; `x.y` is the variant of flag `--y` for command x. Those with a `setting` can also come from
 * the environment and files. `cli/commands.ts` assigns flags to commands.
 */
export const OPTIONS = {
  region: text('--region <code>', 'region of the price table (vehi regions list)', {
    setting: { key: 'region', env: 'VEHI_REGION', fallback: DEFAULT_REGION },
  }),
  currency: text(
    '--currency <code>',
    'currency of all amounts (default: USD, or the currency of your own region)',
    { setting: { key: 'currency', env: 'VEHI_CURRENCY', fallback: 'USD' } },
  ),
  models: path('--models <dir>', 'folder with manifest.json and the models', {
    setting: { key: 'models', env: 'VEHI_MODEL_DIR', example: './models', ...PATH },
  }),
  regions: path('--regions <file>', 'your own regions, added to the table', {
    setting: { key: 'regions', env: 'VEHI_REGIONS_FILE', example: './regions.json', ...PATH },
  }),
  threads: whole('--threads <n>', 'threads that run the models', 1, 256, {
    setting: { key: 'threads', env: 'VEHI_THREADS', fallback: null, example: 2 },
  }),
  sensitivity: oneOf(
    '--sensitivity <level>',
    'high reports more damage and more false alarms, low less of both',
    SENSITIVITIES,
    { setting: { key: 'sensitivity', env: 'VEHI_SENSITIVITY', fallback: 'default' } },
  ),
  minConfidence: share(
    '--min-confidence <share>',
    'list every finding with at least this confidence, 0 to 1',
    { setting: { key: 'min_confidence', env: 'VEHI_MIN_CONFIDENCE', fallback: null, example: 0.3 } },
  ),
  certainFrom: share(
    '--certain-from <share>',
    'lowest confidence of certain findings at sensitivity default',
    { setting: { key: 'certain_from', env: 'VEHI_CERTAIN_FROM', fallback: null, example: 0.6 } },
  ),
  toCheckFrom: share(
    '--to-check-from <share>',
    'lowest confidence of findings to check at sensitivity default',
    { setting: { key: 'to_check_from', env: 'VEHI_TO_CHECK_FROM', fallback: null, example: 0.4 } },
  ),
  failOn: text(
    '--fail-on <conditions>',
    'exit 1 if any holds: minor to critical (that or worse), "cost>5000", "score<6", unchecked',
    { setting: { key: 'fail_on', env: 'VEHI_FAIL_ON', fallback: 'none' } },
  ),
  redact: oneOf('--redact <how>', 'blur number plates in pictures (default: on)', ['on', 'off'], {
    setting: { key: 'redact', env: 'VEHI_REDACT', fallback: 'on' },
  }),
  format: text('--format <name>', 'output format', {
    setting: { key: 'format', env: 'VEHI_FORMAT', fallback: null, example: 'json' },
  }),
  data: path('--data <dir>', 'data directory of the service', {
    setting: { key: 'data_dir', env: 'VEHI_DATA_DIR', example: './data', ...PATH },
  }),
  concurrency: whole('--concurrency <n>', 'vehicles of --many inspected in parallel', 1, 256, {
    setting: { key: 'concurrency', env: 'VEHI_CONCURRENCY', fallback: 2 },
  }),
  font: path(
    '--font <file>',
    'font for characters that PDFs would otherwise show as □ (Chinese, Japanese, Korean)',
    { setting: { key: 'font', env: 'VEHI_FONT', example: './font.otf', ...PATH } },
  ),
  // The longest name that the contract accepts in a claim.
  inspector: rowsOf(Type.String({ maxLength: 128 }))(
    '--inspector <name>',
    'name of the inspector, as shown in reports',
    { setting: { key: 'inspector', env: 'VEHI_INSPECTOR', fallback: null, example: 'Jane Doe' } },
  ),
  baseUrl: text('--base-url <url>', 'address of a vehi service', {
    setting: { key: 'base_url', env: 'VEHI_BASE_URL', fallback: null, example: 'https://vehi.example.com' },
  }),

  recursive: on('-r, --recursive', 'include subfolders'),
  vehicleId: text('--vehicle-id <id>', 'id of the vehicle (default: from vehi.json, else the folder name)'),
  strict: on('--strict', 'treat a rejected photo, or fewer than four, as an error (exit 3)'),
  set: list(
    '--set <key=value>',
    `a fact of vehicle or claim, as in vehi.json: make, model, year, vin, plate, odometer ("48210 km"), paint_code, class (economy … luxury), paint (${PAINTS.filter((paint) => paint !== 'unknown').join(', ')}), ${EQUIPMENT_FACTS.join(', ')}, market_value, currency; ${CLAIM_FIELDS.join(', ')}; repeatable`,
  ),
  many: path(
    '--many <place>',
    'each subfolder of a folder is a vehicle, or each row of a CSV with vehicle_id and folder; --output FOLDER for the results, KIND=FOLDER for more',
    // Each folder or row has its own id, claim and vehicle.
    { reads: true, conflicts: ['vehicleId', 'set', 'sort'] },
  ),
  resume: on('--resume', 'skip vehicles that have a result for the same photos, options and models'),
  detailed: on('--detailed', 'measure damage in centimeters'),
  oneVehicle: on('--one-vehicle', 'all photos show one vehicle, even if they look different'),
  hiddenDamage: on('--hidden-damage', 'list possible hidden damage'),
  assess: on('--assess', 'also price all repair options of the damage (as vehi assess does)'),
  edit: list(
    '--edit <line:change>',
    'change a line: LINE:hours=3.5,price=200,reason=…, LINE:remove, LINE:accept (an expected one), add:OP:PART:hours=1,price=50; LINE is a number or an id; repeatable',
  ),
  json: on('--json', 'as JSON', { conflicts: ['format'] }),
  output: list('-o, --output <file>', 'write to a file, as its ending says, or KIND=FILE'),
  'verify.key': list(
    '--key <key>',
    'the key that must have signed: its fingerprint, or a file with the public key; repeatable',
    READS,
  ),
  annotated: path(
    '--annotated <dir>',
    'write the photos with numbered boxes into a folder (many vehicles: one subfolder each)',
  ),
  sort: path('--sort <dir>', 'copy the photos into a new folder, a subfolder for each vehicle they show'),
  pageSize: oneOf(
    '--page-size <size>',
    'page size of the PDF (default: Letter for regions of the United States, else A4)',
    PAGE_SIZES,
    { setting: { key: 'page_size', env: 'VEHI_PAGE_SIZE', fallback: null, example: 'A4' } },
  ),
  language: oneOf(
    '--language <code>',
    'language of PDF and HTML (default: German and French for their regions, else English)',
    LANGUAGES,
    { setting: { key: 'language', env: 'VEHI_LANGUAGE', fallback: null, example: 'en' } },
  ),
  quiet: on('-q, --quiet', 'do not list the files written'),
  verbose: on('--verbose', 'also every finding with score and confidence, and measured photo quality'),
  all: on('--all', 'every place to check, not only the five most worth a look'),
  options: on('--options', 'every way of repair, all lines, totals, days and value'),
  explain: on('--explain', 'show the rules that fired for the recommended repairs'),
  now: text('--now <time>', 'time stamp of the result, for repeatable output'),

  profile: oneOf('--profile <name>', 'which stored key', ENVIRONMENTS, {
    setting: { key: 'profile', env: 'VEHI_PROFILE', fallback: null, example: 'production' },
  }),

  damage: list(
    '--damage <part:type[:severity[:cm]]>',
    'a damage without a file, e.g. front_bumper:scratch:minor:12; repeatable',
  ),
  marketValue: text('--market-value <amount>', 'value of the vehicle, e.g. 15000 or "15000 EUR"'),

  assessment: path(
    '--assessment <source>',
    'an assessment of the same vehicle, for one combined report',
    READS,
  ),
  photos: path(
    '--photos <dir>',
    'folder searched for the photos before the place where they were inspected',
    READS,
  ),
  photosBefore: path(
    '--photos-before <dir>',
    'folder searched for the earlier photos before the place where they were inspected',
    READS,
  ),
  photosAfter: path('--photos-after <dir>', 'the same for the later photos', READS),
  checklist: on(
    '--checklist',
    'before the return: list the known damages, with the photo to repeat for each',
    { conflicts: ['decide', 'anyVehicle', 'photosAfter', 'failOn'] },
  ),
  anyVehicle: on('--any-vehicle', 'compare even if the vehicle ids differ'),
  decide: list(
    '--decide <row>',
    'your decision on a row: ROW=new, was_there or not_chargeable, with a note after a colon; repeatable',
  ),
  'compare.failOn': text(
    '--fail-on <conditions>',
    'exit 1 for damage that is: new, or changed (new damage too)',
    { fallback: 'none' },
  ),
  'compare.format': oneOf('--format <name>', 'what to print (default: table)', ['table', 'json']),
  decisions: path('--decisions <file>', 'JSON list of decisions instead of the page; - reads stdin', READS),
  reviewer: text('--reviewer <name>', 'name of the reviewer, stored in the review'),
  'review.output': path('-o, --output <file>', 'output file (default: RESULT.reviewed.json)'),
  open: off('--no-open', 'only print the link'),
  'review.port': whole('--port <n>', 'port of the page (default: a free one)', 0, 65_535),

  baseline: path('--baseline <result>', 'the handover (JSON): each known damage is a photo to repeat', READS),
  'capture.host': text(
    '--host <address>',
    "address of this machine that the phone reaches (default: the local network's)",
  ),
  'capture.port': whole('--port <n>', 'port of the page', 0, 65_535, { fallback: 4780 }),

  host: text('--host <address>', 'address to listen on', { fallback: '127.0.0.1' }),
  port: whole('--port <number>', 'port; 0 takes a free one', 0, 65_535, { fallback: 8080 }),
  tlsCert: path('--tls-cert <file>', 'certificate (PEM)', READS),
  tlsKey: path('--tls-key <file>', 'private key (PEM)', READS),
  'serve.baseUrl': text('--base-url <url>', 'address clients reach the service at'),
  reportsUrl: text('--reports-url <url>', 'address of report files (default: the base address)'),
  resultsUrl: text('--results-url <url>', 'address of annotated photos (default: the base address)'),
  trustProxy: text(
    '--trust-proxy <addresses>',
    'trust X-Forwarded-For of the proxies at these addresses, separated by commas',
  ),
  metricsPort: whole('--metrics-port <number>', 'serve /metrics on a separate port', 0, 65_535),
  corsOrigin: list('--cors-origin <origin>', 'allow browser requests from this origin; repeatable'),
  ephemeral: on('--ephemeral', 'keep all data in a temporary folder, until it ends', { conflicts: ['data'] }),
  database: text('--database <url>', 'shared PostgreSQL: postgres://… (VEHI_DATABASE)'),
  objects: text('--objects <url>', 'shared files: s3://… or file:///… (VEHI_OBJECTS)'),
  keepDays: whole('--keep-days <n>', 'remove inspections after this many days', 1, MAX_DAYS),
  keepPhotos: on('--keep-photos', 'keep the photos after the analysis'),
  keepViews: whole('--keep-views <days>', 'days to keep pictures for reviews; 0: none', 0, MAX_DAYS, {
    fallback: 7,
  }),
  workers: whole('--workers <n>', 'parallel inspections', 1, 64, { fallback: 1 }),
  'work.workers': whole('--workers <n>', 'parallel inspections; two keep the threads busy', 1, 64, {
    fallback: 2,
  }),
  work: off('--no-work', 'leave inspections to vehi work, with --database and --objects'),
  webhooks: off('--no-webhooks', 'leave sending webhooks to vehi work too'),
  queue: whole('--queue <n>', 'most running and waiting inspections; more get 503', 1, 100_000, {
    fallback: 250,
  }),
  inlineImages: whole('--inline-images <n>', 'more photos than this are answered with 202', 0, 50, {
    fallback: 12,
  }),
  inlineSeconds: whole('--inline-seconds <n>', 'longer inspections are answered with 202', 0, 600, {
    fallback: 30,
  }),
  grace: whole('--grace <seconds>', 'time for running inspections to finish after SIGTERM', 0, 3600, {
    fallback: 120,
  }),
  allowHttpImages: on('--allow-http-images', 'fetch photos from http addresses too'),
  allowPrivateImages: on(
    '--allow-private-images',
    'fetch photos from private and loopback addresses (tests only)',
  ),
  sandbox: on('--sandbox', 'test environment: dev_ keys, X-Vehi-Simulate, demo photos'),
  seed: whole('--seed <n>', 'repeatable ids (sandbox)', 0, 2 ** 32 - 1),
  logLevel: oneOf('--log-level <level>', 'lowest level of log lines (JSON on stderr)', LOG_LEVELS),

  account: text('--account <id>', 'of this account only'),
  newAccount: path('--new-account <name>', 'create an account of this name for the key', {
    conflicts: ['account'],
  }),
  plan: oneOf('--plan <plan>', 'plan of a new account', PLANS),
  environment: oneOf('--environment <name>', 'dev_ or prod_ key', ENVIRONMENTS, { fallback: 'sandbox' }),
  permissions: text('--permissions <list>', 'comma-separated (default: all)'),
  name: text('--name <text>', 'a name for the key'),
  expiresDays: whole(
    '--expires-days <n>',
    'expires after this many days (90 is good practice)',
    1,
    MAX_KEY_DAYS,
  ),
  status: oneOf('--status <state>', 'suspend or reactivate it', ACCOUNT_STATUSES),
  requestsPerHour: whole('--requests-per-hour <n>', 'own limit; 0 = limit of the plan', 0),
  concurrentRequests: whole('--concurrent-requests <n>', 'own limit; 0 = limit of the plan', 0),
  olderThanDays: whole('--older-than-days <n>', 'created more than this many days ago', 0, MAX_DAYS),
  'purge.vehicle': text('--vehicle <id>', 'of this vehicle'),
  yes: on('-y, --yes', 'do not ask for confirmation'),
  from: text('--from <code>', 'the region whose rates and rules to start from', { fallback: DEFAULT_REGION }),
  force: on('--force', 'overwrite an existing file'),
};

export type Rows = typeof OPTIONS;
export type OptionName = keyof Rows;

/** Attribute name in commander's parsed options: `failOn` for `compare.failOn`. */
type Attribute<N extends string> = N extends `${string}.${infer A}` ? A : N;
type Defaulted = {
  [N in OptionName]: Rows[N] extends { readonly fallback: string | number | boolean } ? N : never;
}[OptionName];

/** Parsed values of these flags. */
export type Flags<N extends OptionName> = {
  readonly [K in Exclude<N, Defaulted> as Attribute<K>]?: Static<Rows[K]['schema']>;
} & { readonly [K in N & Defaulted as Attribute<K>]: Static<Rows[K]['schema']> };
