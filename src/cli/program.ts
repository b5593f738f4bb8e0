import { readPackageJson } from '../lib/package.ts';
import { COMMANDS, type CommandPath, type CommandRow, EXIT_CODES_TOPIC } from './commands.ts';
import type { CliContext } from './terminal/context.ts';
import { countHelpColumns, writeStatus } from './terminal/output.ts';
import { VehiCommand } from './vehi-command.ts';

// biome-ignore lint/suspicious/noExplicitAny: commander passes what the row declares
type Action = (...args: any[]) => Promise<void>;

/** A command that does something itself: every one without subcommands, and `config`. */
type ActivePath = {
  [C in CommandPath]: Extract<CommandPath, `${C} ${string}`> extends never ? C : Extract<C, 'config'>;
}[CommandPath];

/** Action of each command, imported when the command runs. It receives arguments, flags and context. */
const ACTIONS: Readonly<Record<ActivePath, () => Promise<Action>>> = {
  inspect: async () => (await import('./inspect/inspect.run.ts')).runInspect,
  capture: async () => (await import('./capture/capture.run.ts')).runCapture,
  assess: async () => (await import('./assess/assess.run.ts')).runAssess,
  review: async () => (await import('./review/review.run.ts')).runReview,
  report: async () => (await import('./results/report.run.ts')).runReport,
  compare: async () => (await import('./results/compare.run.ts')).runCompare,
  verify: async () => (await import('./results/verify.run.ts')).runVerify,
  serve: async () => (await import('./service/serve.run.ts')).runServe,
  work: async () => (await import('./service/work.run.ts')).runWork,
  'auth login': async () => (await import('./service/auth.run.ts')).runAuthLogin,
  'auth test': async () => (await import('./service/auth.run.ts')).runAuthTest,
  'auth logout': async () => (await import('./service/auth.run.ts')).runAuthLogout,
  'auth status': async () => (await import('./service/auth.run.ts')).runAuthStatus,
  'admin keys create': async () => (await import('./service/accounts.run.ts')).runKeysCreate,
  'admin keys list': async () => (await import('./service/accounts.run.ts')).runKeysList,
  'admin keys revoke': async () => (await import('./service/accounts.run.ts')).runKeysRevoke,
  'admin accounts list': async () => (await import('./service/accounts.run.ts')).runAccountsList,
  'admin accounts update': async () => (await import('./service/accounts.run.ts')).runAccountsUpdate,
  'admin data backup': async () => (await import('./service/data.run.ts')).runDataBackup,
  'admin data purge': async () => (await import('./service/data.run.ts')).runDataPurge,
  'admin evidence-key': async () => (await import('./setup/evidence-key.run.ts')).runEvidenceKey,
  'regions list': async () => (await import('./setup/regions.run.ts')).runRegionsList,
  'regions show': async () => (await import('./setup/regions.run.ts')).runRegionsShow,
  'regions fit': async () => (await import('./setup/regions-fit.run.ts')).runRegionsFit,
  'regions validate': async () => (await import('./setup/regions.run.ts')).runRegionsValidate,
  init: async () => (await import('./setup/init.run.ts')).runInit,
  config: async () => (await import('./setup/config.run.ts')).runConfig,
  'config set': async () => (await import('./setup/config.run.ts')).runConfigSet,
  doctor: async () => (await import('./setup/doctor.run.ts')).runDoctor,
  help: async () => (await import('./help/help.run.ts')).runHelp,
  completion: async () => (await import('./help/completion.run.ts')).runCompletion,
};

/** Commands whose action also receives the whole command tree. */
const NEED_TREE: ReadonlySet<string> = new Set<CommandPath>(['help', 'completion']);

/** Headings in the list of commands, keyed by the first command below each. */
const GROUPS: Readonly<Record<string, string>> = {
  inspect: 'Work:',
  serve: 'Service:',
  regions: 'Tables, settings:',
  help: 'Help:',
} satisfies Partial<Record<CommandPath, string>>;

export function buildProgram(ctx: CliContext): VehiCommand {
  const root = makeRoot(ctx);
  const made = new Map<string, VehiCommand>([['', root]]);
  for (const [path, row] of Object.entries<CommandRow>(COMMANDS)) {
    const words = path.split(' ');
    const parent = made.get(words.slice(0, -1).join(' ')) ?? root;
    const group = GROUPS[path];
    if (group) root.commandsGroup(group);
    const command = parent.command(words.at(-1) ?? '') as VehiCommand;
    made.set(path, command.applyRow(row));
    const action = path in ACTIONS ? ACTIONS[path as ActivePath] : undefined;
    if (action)
      command.action(async (...given: unknown[]) =>
        (await action())(...given.slice(0, -1), ctx, ...(NEED_TREE.has(path) ? [root] : [])),
      );
    command.showHelpAfterError(`(vehi ${path} --help shows how)`);
  }
  return root;
}

const makeRoot = (ctx: CliContext): VehiCommand =>
  new VehiCommand('vehi')
    .usage('[command] [options]')
    .version(readPackageJson().version, '-V, --version', 'print the version')
    .option('--no-color', 'no colors (NO_COLOR does the same)')
    .option('--color', 'colors even where the output is not a terminal')
    .option('--no-input', 'never ask a question')
    .helpOption('-h, --help', 'help on a command')
    .showHelpAfterError('(vehi --help lists the commands)')
    .showSuggestionAfterError(true)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => void ctx.stdout.write(text),
      writeErr: (text) => void writeStatus(ctx, text.replace(/\n$/, '')),
      outputError: (text, print) =>
        print(text.replace(/^error: /, 'vehi: ').replace(/ cannot be used with .*/, '$&: leave out one')),
      getOutHasColors: () => ctx.color.stdout > 0,
      getErrHasColors: () => ctx.color.stderr > 0,
      getOutHelpWidth: () => countHelpColumns(ctx),
      getErrHelpWidth: () => ctx.stderr.columns ?? 100,
    })
    .exitOverride()
    .applyRow({
      about: 'Inspects photos of a vehicle on this machine: damage, location, severity and repair cost.',
      examples: [
        ['vehi inspect ./photos', 'find damage, print a table'],
        ['vehi inspect ./photos --json', 'the same as JSON'],
        ['vehi inspect ./photos --annotated out', 'write the photos with numbered boxes'],
      ],
      notes: [`Exit codes of all commands: vehi help ${EXIT_CODES_TOPIC}`],
    });
