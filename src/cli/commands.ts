import type { Flags, OptionName } from '../config/options.ts';
import type { ExitName } from './terminal/exit-codes.ts';

/** Syntax and help of a command. */
export interface CommandRow {
  readonly about: string;
  /** One line for the list of commands, replacing `about`. */
  readonly summary?: string;
  /** Arguments with their descriptions, optionally with a default. */
  readonly args?: Readonly<Record<string, string | readonly [about: string, fallback: string]>>;
  /** Flags in help order, by heading. */
  readonly flags?: Readonly<Record<string, readonly OptionName[]>>;
  /** Descriptions of flags that differ for this command. */
  readonly words?: Readonly<Partial<Record<OptionName, string>>>;
  readonly examples?: readonly (string | readonly [line: string, about: string])[];
  readonly notes?: readonly string[];
  /** Exit codes whose meaning is listed in the help: `true` for the general meaning, or a specific one. */
  readonly exits?: Readonly<Partial<Record<ExitName, string | true>>>;
}

const OUTPUT = ['json', 'format', 'output'] as const;
const SHARED = ['database', 'objects'] as const;
const STORE = ['data', 'database', 'json'] as const;
const PASSWORDS_NOTE = 'The password of the database: PGPASSWORD or ~/.pgpass.';

/** Argument of `vehi help` that names no command. */
export const EXIT_CODES_TOPIC = 'exit-codes';

/** Heading of accepted but undocumented flags: for scripts, tests and the contract's option. */
export const HIDDEN = 'hidden';

/** All commands by their words on the command line, in help order. */
export const COMMANDS = {
  inspect: {
    about: 'Finds the damage in photos of one vehicle, grades the vehicle and prices the repair.',
    summary: 'find the damage in photos of a vehicle, grade it, price the repair',
    args: { '[photos...]': 'photos, folders, globs; - reads a list of paths from stdin' },
    flags: {
      'Photos:': ['recursive', 'vehicleId', 'oneVehicle', 'strict', 'set'],
      'Many vehicles:': ['many', 'resume'],
      'Findings:': ['hiddenDamage', 'sensitivity'],
      'Prices:': ['region', 'currency', 'assess'],
      'Output:': [...OUTPUT, 'annotated', 'sort', 'redact', 'quiet', 'verbose', 'all', 'failOn'],
      [HIDDEN]: ['detailed', 'models', 'now'],
    },
    words: {
      json: 'the result as one JSON document on stdout',
      quiet: 'only the damages and the figures',
    },
    examples: [
      'vehi inspect ./photos',
      "vehi inspect front.jpg rear.jpg 'sides/*.heic' --region EU_GERMANY --currency EUR",
      'vehi inspect ./photos --json --fail-on moderate > result.json',
      'ls *.jpg | vehi inspect - --annotated marked',
      'vehi inspect --many ./fleet --output results --resume',
      'vehi inspect --many ./fleet -o results -o pdf=reports --annotated marked --assess',
      'vehi inspect ./photos --set claim_number=C-4711 --set vin=1M8GDM9AXKP042788 -o claim.pdf',
      'vehi inspect --many list.csv --fail-on "severe,cost>5000,score<6,unchecked"',
    ],
    notes: [
      'Many vehicles: one JSON per vehicle, summary.csv and a table; a folder that fails becomes a row and does not stop the rest. The exit code is the worst of all vehicles, in this order: interrupted, models, no usable photo, threshold.',
    ],
    exits: {
      thresholdHit: 'a threshold was hit',
      inputRejected: 'no usable photo (or --strict)',
      engine: 'models',
      interrupted: 'interrupted; the partial result is written',
    },
  },
  capture: {
    about:
      'Shows a QR code; the phone opens a page that asks for each view and checks every photo. The photos are then inspected.',
    summary: 'photograph a vehicle with a phone, then inspect it',
    args: { '[folder]': 'folder for the photos (default: the vehicle id, or capture)' },
    flags: {
      'Vehicle:': ['vehicleId', 'baseline', 'set'],
      'Phone:': ['capture.host', 'capture.port', 'language'],
      'Prices:': ['region', 'currency'],
      'Output:': ['json', 'output', 'quiet', 'failOn'],
      [HIDDEN]: ['now'],
    },
    words: {
      vehicleId: 'id of the vehicle (default: that of --baseline, or the folder name)',
      language: 'language of page and report on the phone (default: German and French for their regions)',
      json: 'the result as one JSON document on stdout',
    },
    examples: ['vehi capture ./B-XY-123', 'vehi capture ./return --baseline handover/inspection.json'],
    notes: [
      'Phone and machine must be in one network; the page is served over plain HTTP to the one phone that opened the link. Photos stay on the phone until this machine has stored them.',
      'Run it again with the same folder to go on. The result is written to FOLDER/inspection.json.',
    ],
    exits: {
      thresholdHit: 'a threshold was hit',
      inputRejected: 'no usable photo',
      engine: 'models',
      interrupted: 'interrupted; the photos are kept',
    },
  },
  assess: {
    about:
      'Prices a list of damages: every sensible way of repair with parts, labor and days, the recommended one, and the vehicle as one job.',
    summary: 'repair options, hours, parts and costs for a list of damages',
    args: {
      '[file]':
        'JSON: a list of damages, an assessment request, or the result of `vehi inspect`; - reads stdin',
    },
    flags: {
      'Damages:': ['damage', 'edit'],
      'Vehicle:': ['vehicleId', 'set', 'marketValue'],
      'Prices:': ['region', 'regions', 'currency'],
      'Output:': [...OUTPUT, 'language', 'options', 'explain', 'quiet', 'failOn', 'now'],
    },
    words: {
      vehicleId: 'id of the vehicle (default: that of the file)',
      json: 'the result as one JSON document on stdout',
      quiet: 'no list of the files written',
      failOn: 'exit 1 on any of them: minor to critical (that or worse), "cost>5000" (one job, without tax)',
    },
    examples: [
      'vehi inspect ./photos --json | vehi assess -',
      'vehi assess damages.json --region EU_GERMANY --currency EUR',
      'vehi assess --damage hood:dent:moderate:4 --damage front_bumper:crack:severe',
      'vehi assess damages.json -o pdf=estimate.pdf -o html=estimate.html',
      'vehi assess damages.json --edit 1:hours=2.5 --edit add:Subl:wheel_alignment:price=120 -o e01.json',
      'vehi assess claim.json --set make=BMW,mileage_km=80000 --fail-on "cost>5000"',
    ],
    notes: ['Without a file and on a terminal the damages are asked for, part by part.'],
    exits: {
      thresholdHit: '--fail-on was hit',
      inputRejected: 'the file cannot be priced',
      interrupted: true,
    },
  },
  review: {
    about:
      'Opens a page in the browser to correct a result: accept, reject, change, add and merge damage, with the price as it changes. Writes the corrected result with the earlier values.',
    summary: 'accept, reject or correct the findings of a result',
    args: { '<result>': 'JSON of vehi inspect' },
    flags: {
      'Decisions:': ['decisions', 'reviewer', 'review.output', 'now'],
      'Result:': ['photos', 'regions', 'models'],
      'Page:': ['open', 'review.port'],
    },
    words: {
      now: 'the time to write into the review',
      regions: 'regions of your own, added to the price table',
      models: 'folder with manifest.json and the models, for boxes that are drawn',
    },
    examples: [
      'vehi review result.json',
      'vehi review result.json --decisions decisions.json -o corrected.json',
    ],
    notes: [
      'The page is served on this machine only, through a link that works once. Every decision is saved immediately in RESULT.review.json; run the command again to resume.',
      'A decision: {"damage_id": "dmg_hood_001", "decision": "accept", "reject" or "change", "type", "severity", "part", "box"}, {"decision": "add", "image_index", "box", "type"}, {"decision": "merge", "damage_id", "into"}, {"decision": "nothing_more", "image_index"}, {"decision": "price", "line", "cost"}, {"decision": "include" or "exclude", "line_id"}, {"decision": "vehicle", "image_index", "vehicle"}, {"decision": "one_vehicle"}',
    ],
    exits: {
      inputRejected: 'a result or decisions that cannot be used',
      engine: 'models, for boxes that are drawn',
      interrupted: 'interrupted; the decisions are saved',
    },
  },
  report: {
    about: 'Makes a report of an inspection or an assessment for the claim file.',
    summary: 'make a PDF, HTML or other report from a result',
    args: { '<source>': 'JSON of vehi inspect or vehi assess; - for stdin' },
    flags: {
      'Content:': ['assessment', 'set', 'photos', 'redact'],
      'Output:': ['format', 'output', 'language', 'failOn', 'quiet', 'now'],
    },
    words: {
      failOn:
        'a severity that fails in junit and is an error in github; unchecked: places to check fail in junit',
      now: 'the time to write into the report, for repeatable output',
    },
    examples: [
      ['vehi report result.json', 'writes <id>.pdf'],
      'vehi report result.json -o pdf=claim.pdf -o html=claim.html',
      'vehi report result.json --assessment estimate.json -o claim.pdf',
      'vehi inspect photos --json | vehi report - --format markdown',
    ],
    notes: [
      'A photo is shown only when its file is the one that was inspected (same SHA-256).',
      'What a model recognized as a number plate is blurred in pictures, unless --redact off. It misses some, and looks for no faces.',
    ],
    exits: {
      inputRejected: 'not a vehi result',
    },
  },
  compare: {
    about:
      'Compares two inspections of one vehicle: what was known, and what is new, changed or repaired (rental return).',
    summary: 'compare two inspections of one vehicle',
    args: {
      '<before>': 'JSON of vehi inspect, or an evidence file',
      '[after]': 'the same, later; left out with --checklist',
    },
    flags: {
      'Photos:': ['photosBefore', 'photosAfter', 'redact'],
      'Comparison:': ['checklist', 'anyVehicle', 'decide', 'compare.failOn'],
      'Output:': ['json', 'compare.format', 'output', 'language', 'quiet', 'now'],
    },
    words: {
      json: 'the comparison as one JSON document on stdout',
      now: 'the time to write into the report, for repeatable output',
    },
    examples: [
      'vehi compare handover.json return.json',
      'vehi compare handover.json return.json -o pdf=return.pdf --fail-on new',
      ['vehi compare handover.json --checklist -o pdf=list.pdf', 'what is known, to photograph again'],
    ],
    notes: [
      'vehi looks for each damage in the photos of the other visit; without those photos it reports no change.',
    ],
    exits: { thresholdHit: '--fail-on was hit', inputRejected: 'not a vehi inspection, or another vehicle' },
  },
  verify: {
    about: 'Verifies the files in an evidence file and its signature.',
    summary: 'verify the contents and signature of an evidence file',
    args: { '<file>': 'evidence file (vehi inspect -o evidence=FILE.zip)' },
    flags: { '': ['verify.key', 'json'] },
    examples: [
      'vehi verify return.zip',
      ['vehi verify return.zip --key signer.pem', 'a key that its owner gave you'],
    ],
    notes: [
      'A key proves who signed only if its owner gave you the fingerprint; anyone can re-pack a file and sign it with another key.',
      'The owner prints it with vehi admin evidence-key.',
    ],
    exits: {
      thresholdHit: 'whole, but signed by a key that is neither yours nor named by --key',
      inputRejected: 'a file changed, is missing or was added, or the signature does not fit',
    },
  },
  serve: {
    about:
      'Serves the REST API under /v1; its OpenAPI document is at /v1/openapi.json, an interactive reference is at /docs and the web app at /app.',
    summary: 'run the REST API',
    flags: {
      'Address:': [
        'host',
        'port',
        'tlsCert',
        'tlsKey',
        'serve.baseUrl',
        'reportsUrl',
        'resultsUrl',
        'trustProxy',
        'metricsPort',
        'corsOrigin',
        'json',
      ],
      'Storage:': ['data', 'ephemeral', ...SHARED, 'keepDays', 'keepPhotos', 'keepViews'],
      'Work:': ['workers', 'work', 'webhooks', 'queue', 'inlineImages', 'inlineSeconds'],
      'Photos:': ['allowHttpImages', 'allowPrivateImages', 'redact'],
      'Testing:': ['sandbox', 'seed', 'now'],
      'Engine:': ['region', 'regions', 'currency', 'models', 'logLevel'],
    },
    words: {
      'serve.baseUrl': 'address clients reach the service at (default: where it listens)',
      now: 'the time to write into results (sandbox)',
      json: 'print the start as JSON in a terminal too',
      region: 'region where a request names none',
      currency: 'currency where a request names none',
    },
    examples: [
      ['vehi serve --sandbox --ephemeral --port 0', "for a client's tests"],
      'vehi admin keys create --new-account "My shop" --plan professional --environment production',
      'vehi serve --tls-cert cert.pem --tls-key key.pem --base-url https://vehi.example.com',
    ],
    notes: [
      "Prints the page's address once it is ready, and in the sandbox a key; piped or with --json as one JSON line. SIGTERM finishes running jobs, SIGHUP reads the certificate again.",
      'Outside the sandbox /metrics needs --metrics-port.',
      PASSWORDS_NOTE,
    ],
    exits: { engine: true },
  },
  work: {
    about:
      'Runs inspections for a service shared by several machines; start as many workers as the load needs.',
    summary: 'run the inspections of a service on several machines',
    flags: {
      'Shared resources:': [...SHARED, 'serve.baseUrl', 'reportsUrl', 'sandbox'],
      'Work:': ['work.workers', 'grace'],
      'Monitoring:': ['metricsPort', 'host', 'logLevel'],
      'Engine:': ['regions', 'models', 'allowPrivateImages', 'redact'],
    },
    words: {
      'serve.baseUrl': 'address clients reach the service at, for links in events',
      sandbox: 'do the work of the test environment',
      metricsPort: 'serve /healthz, /readyz and /metrics there',
      host: 'address of that port',
      allowPrivateImages: 'send events to private and loopback addresses (tests only)',
    },
    examples: [
      'vehi work --database postgres://vehi@db/vehi --objects file:///srv/vehi-files --base-url https://vehi.example.com',
    ],
    notes: [
      'Prints one JSON line when it is ready. SIGTERM finishes running jobs within --grace; another process restarts the rest.',
      PASSWORDS_NOTE,
    ],
    exits: { engine: true },
  },
  auth: {
    about: 'Stores key and address of a vehi service.',
    summary: 'keys for a vehi service: log in, test, log out',
    examples: ['vehi auth login --base-url https://vehi.example.com', 'vehi auth test'],
  },
  'auth login': {
    about:
      'Checks a key against its service and stores both (mode 0600). The key is asked for, or read from stdin.',
    flags: { '': ['baseUrl'] },
    words: { baseUrl: 'address of the service (VEHI_BASE_URL)' },
    examples: [
      'vehi auth login --base-url https://vehi.example.com',
      'pass show vehi | vehi auth login --base-url http://127.0.0.1:8080',
    ],
    exits: { remote: true },
  },
  'auth test': {
    about: 'Calls GET /v1/auth/test: account, plan, permissions.',
    flags: { '': ['baseUrl', 'profile', 'json'] },
    words: { baseUrl: 'address of the service (VEHI_BASE_URL)', json: 'the answer as JSON' },
    examples: ['vehi auth test', 'vehi auth test --profile production --json'],
    exits: { remote: true },
  },
  'auth logout': {
    about: 'Deletes stored keys (all, or one profile).',
    flags: { '': ['profile'] },
    examples: ['vehi auth logout', 'vehi auth logout --profile sandbox'],
  },
  'auth status': {
    about: 'Shows the stored keys, masked, and their file.',
    flags: { '': ['json'] },
    examples: ['vehi auth status', 'vehi auth status --json'],
  },
  admin: {
    about: 'Manages the keys, accounts and data of a service; prints its evidence key.',
    summary: 'manage keys, accounts and data of a service',
    examples: ['vehi admin keys create --new-account "My shop"', 'vehi admin data backup copy.db'],
  },
  'admin keys': {
    about: 'Creates, lists and revokes the API keys of a service.',
    examples: ['vehi admin keys create --new-account "My shop" --plan professional', 'vehi admin keys list'],
  },
  'admin keys create': {
    about: 'Creates a key. It is shown once; only its SHA-256 is stored.',
    flags: {
      '': STORE,
      'Account:': ['account', 'newAccount', 'plan'],
      'Key:': ['environment', 'permissions', 'name', 'expiresDays'],
    },
    words: { account: 'account it belongs to (default: the only one)' },
    examples: [
      'vehi admin keys create --new-account "My shop" --plan professional',
      'vehi admin keys create --environment production --permissions inspections:read --expires-days 90',
    ],
  },
  'admin keys list': {
    about: 'Lists keys, masked, with their last use.',
    flags: { '': [...STORE, 'account'] },
    examples: ['vehi admin keys list', 'vehi admin keys list --json'],
  },
  'admin keys revoke': {
    about: 'Revokes a key immediately.',
    args: { '<id>': 'id of the key (vehi admin keys list)' },
    flags: { '': STORE },
    examples: ['vehi admin keys revoke key_01J8ZQ4T7M'],
  },
  'admin accounts': {
    about: 'Lists and changes the accounts of a service.',
    examples: ['vehi admin accounts list', 'vehi admin accounts update acc_01J8ZQ4T7M --plan enterprise'],
  },
  'admin accounts list': {
    about: 'Lists accounts with plan and state.',
    flags: { '': STORE },
    examples: ['vehi admin accounts list', 'vehi admin accounts list --json'],
  },
  'admin accounts update': {
    about: 'Changes plan, state or limits of an account.',
    args: { '<id>': 'id of the account' },
    flags: { '': STORE, 'Changes:': ['plan', 'status', 'requestsPerHour', 'concurrentRequests'] },
    words: { plan: 'new plan' },
    examples: [
      'vehi admin accounts update acc_01J8ZQ4T7M --plan enterprise',
      'vehi admin accounts update acc_01J8ZQ4T7M --status suspended',
    ],
  },
  'admin data': {
    about: 'Backs up or purges the data of a service.',
    examples: ['vehi admin data backup backup.sqlite', 'vehi admin data purge --vehicle veh_123 --yes'],
  },
  'admin data backup': {
    about: 'Writes a consistent copy of the database, also while the service runs.',
    args: { '<file>': 'file to write; must not exist' },
    flags: { '': ['data'] },
    examples: [
      'vehi admin data backup vehi-backup.sqlite',
      'vehi admin data backup backup.sqlite --data /var/lib/vehi',
    ],
  },
  'admin data purge': {
    about: 'Removes inspections and assessments with photos, reports, events and idempotency keys.',
    flags: {
      'Scope:': ['olderThanDays', 'purge.vehicle', 'account'],
      'Options:': ['data', 'database', 'objects', 'yes'],
    },
    words: { account: 'of this account' },
    examples: [
      'vehi admin data purge --vehicle veh_123 --yes',
      'vehi admin data purge --older-than-days 365',
    ],
    notes: ['Conditions are combined; at least one is needed.'],
  },
  'admin evidence-key': {
    about: 'Prints the public key that signs your evidence files, and its fingerprint; made at first use.',
    flags: { '': ['json'] },
    examples: ['vehi admin evidence-key', 'vehi admin evidence-key > signer.pem'],
  },
  regions: {
    about: 'Shows the regions of the price table, and makes and checks your own.',
    summary: 'price tables: labor rates, total-loss rules, sources',
    examples: ['vehi regions list', 'vehi regions show EU_GERMANY', 'vehi regions validate mine.json'],
  },
  'regions list': {
    about: 'Lists all regions with their rates.',
    flags: { '': ['json', 'regions'] },
    words: { json: 'the table as JSON' },
    examples: ['vehi regions list', 'vehi regions list --regions mine.json', 'vehi regions list --json'],
  },
  'regions show': {
    about: 'Shows one region: rates, rules, date, source; with --json all of it.',
    args: { '<code>': 'e.g. US_MIDWEST' },
    flags: { '': ['json', 'regions'] },
    words: { json: 'as a file for --regions, with this row' },
    examples: ['vehi regions show US_MIDWEST', 'vehi regions show US_MIDWEST --json > mine.json'],
  },
  'regions fit': {
    about: 'Prints your own region, fitted to closed jobs and their bills.',
    args: { '<file>': 'a CSV with one job per line: damages, bill without tax, vehicle' },
    flags: { '': ['from', 'regions'] },
    examples: [
      'vehi regions fit jobs.csv > mine.json',
      'vehi regions fit jobs.csv --from EU_GERMANY > mine.json',
    ],
    exits: { inputRejected: 'the file is wrong, or has fewer than 20 jobs' },
  },
  'regions validate': {
    about: 'Checks a regions file.',
    args: { '<file>': 'a table as `vehi regions show CODE --json` prints it' },
    flags: { '': ['json'] },
    words: { json: 'the verdict and every fault as JSON' },
    examples: ['vehi regions validate mine.json', 'vehi regions validate mine.json --json'],
    exits: { done: 'the table can be used', inputRejected: 'it cannot (every row and reason is listed)' },
  },
  init: {
    about:
      'Writes a vehi.config.json with every setting and its description. The settings apply to the folder and everything below it.',
    summary: 'write a commented vehi.config.json',
    args: { '[folder]': ['folder to write it into', '.'] },
    flags: { '': ['force'] },
    examples: ['vehi init', 'vehi init ./fleet --force'],
    exits: { usage: 'usage, or the file exists' },
  },
  config: {
    about:
      'Lists every setting with its value and where it comes from: flags, then the environment, then vehi.config.json (found by walking up), then your own file, then defaults.',
    summary: 'list and change settings',
    examples: ['vehi config', 'vehi config set region EU_GERMANY', ['vehi config set region', 'removes it']],
  },
  'config set': {
    about: 'Sets a setting in your own file; without a value removes it.',
    args: {
      '<key>': 'name of the setting (vehi config lists them)',
      '[value]': 'its value; none removes the setting',
    },
    examples: ['vehi config set region EU_GERMANY', ['vehi config set region', 'removes it']],
  },
  doctor: {
    about: 'Checks the requirements of vehi on this machine, with a remedy for each failure.',
    summary: 'check the requirements on this machine',
    flags: { '': ['models', ...SHARED, 'json'] },
    examples: ['vehi doctor', 'vehi doctor --json'],
    exits: { engine: 'something does not work' },
  },
  help: {
    about: 'Shows the help of a command, or what the exit codes mean.',
    summary: 'help on a command, or on exit codes',
    args: { '[words...]': 'a command, or exit-codes' },
    examples: ['vehi help exit-codes', ['vehi help admin keys create', 'the same as with --help']],
  },
  completion: {
    about: 'Prints a script that completes commands, options, region codes and file names in a shell.',
    summary: 'print a shell completion script',
    args: { '<shell>': 'bash, zsh or fish', '[words...]': 'for the script: what is typed so far' },
    examples: [
      ['eval "$(vehi completion bash)"', 'for this shell; put it into ~/.bashrc to keep it'],
      ['vehi completion zsh > ~/.zfunc/_vehi', 'a folder of fpath'],
      'vehi completion fish > ~/.config/fish/completions/vehi.fish',
    ],
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandPath = keyof typeof COMMANDS;
type ListsOf<C extends CommandPath> = (typeof COMMANDS)[C] extends { readonly flags: infer L } ? L : never;
type NamesOf<H> = H extends unknown
  ? { [K in keyof H]: H[K] extends readonly (infer N)[] ? N : never }[keyof H]
  : never;

export type FlagsOf<C extends CommandPath> = Flags<
  NamesOf<ListsOf<C>> extends infer N extends OptionName ? N : never
>;
