import { packageVersion } from '../lib/version.ts';
import { TOPICS } from './help/help-topics.ts';
import { childrenOf, pathOf, VehiCommand } from './terminal/command.ts';
import type { CliContext } from './terminal/context.ts';

/** What adds one command with its flags to the tree. */
type Define = (root: VehiCommand, ctx: CliContext) => void;

interface Listed {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Define>;
}

/**
 * In groups, in the order in which help lists them. Only the command that was called is loaded: reading all of them
 * would double the time to start.
 */
const COMMANDS: readonly (readonly [group: string, commands: readonly Listed[]])[] = [
  [
    'Work:',
    [
      {
        name: 'inspect',
        summary: 'find the damage in photos of a vehicle, grade it, price the repair',
        load: async () => (await import('./inspect/inspect.ts')).defineInspect,
      },
      {
        name: 'assess',
        summary: 'repair options, hours, parts and costs for a list of damages',
        load: async () => (await import('./assess/assess.ts')).defineAssess,
      },
      {
        name: 'review',
        summary: 'go through the findings of a result: accept, reject, correct, price anew',
        load: async () => (await import('./results/review.ts')).defineReview,
      },
      {
        name: 'report',
        summary: 'make a PDF, HTML or other report of a result',
        load: async () => (await import('./results/report.ts')).defineReport,
      },
      {
        name: 'compare',
        summary: 'what changed between two inspections of one vehicle',
        load: async () => (await import('./results/compare.ts')).defineCompare,
      },
      {
        name: 'history',
        summary: 'list the results that were kept',
        load: async () => (await import('./results/history.ts')).defineHistory,
      },
      {
        name: 'show',
        summary: 'show a kept result',
        load: async () => (await import('./results/history.ts')).defineShow,
      },
    ],
  ],
  [
    'Service:',
    [
      {
        name: 'serve',
        summary: 'the REST API over the same engine',
        load: async () => (await import('./service/serve.ts')).defineServe,
      },
      {
        name: 'auth',
        summary: 'keys for a vehi service: log in, test, log out',
        load: async () => (await import('./service/auth.ts')).defineAuth,
      },
      {
        name: 'keys',
        summary: 'API keys of a service on this machine',
        load: async () => (await import('./service/keys.ts')).defineKeys,
      },
      {
        name: 'accounts',
        summary: 'accounts and plans of a service on this machine',
        load: async () => (await import('./service/keys.ts')).defineAccounts,
      },
      {
        name: 'webhooks',
        summary: 'completion events of a service: where they go, what became of them',
        load: async () => (await import('./service/webhooks.ts')).defineWebhooks,
      },
      {
        name: 'data',
        summary: 'back up or purge what a service on this machine keeps',
        load: async () => (await import('./service/data.ts')).defineData,
      },
      {
        name: 'schema',
        summary: 'print the OpenAPI document or a JSON Schema of an output',
        load: async () => (await import('./service/schema.ts')).defineSchema,
      },
    ],
  ],
  [
    'Tables, models, settings:',
    [
      {
        name: 'regions',
        summary: 'the price table: labour rates, total-loss rules, sources',
        load: async () => (await import('./setup/regions.ts')).defineRegions,
      },
      {
        name: 'models',
        summary: 'list, check and measure the models that look at the photos',
        load: async () => (await import('./setup/models.ts')).defineModels,
      },
      {
        name: 'init',
        summary: 'write a commented start of vehi.config.json',
        load: async () => (await import('./setup/init.ts')).defineInit,
      },
      {
        name: 'config',
        summary: 'settings: where each value comes from, get and set your own',
        load: async () => (await import('./setup/config.ts')).defineConfig,
      },
      {
        name: 'doctor',
        summary: 'check that everything vehi needs works here',
        load: async () => (await import('./setup/doctor.ts')).defineDoctor,
      },
      {
        name: 'licenses',
        summary: 'licences of the packages vehi is installed with',
        load: async () => (await import('./setup/licenses.ts')).defineLicenses,
      },
    ],
  ],
  [
    'Finding your way:',
    [
      {
        name: 'help',
        summary: 'help on a command or a topic',
        load: async () => (await import('./help/help.ts')).defineHelp,
      },
      {
        name: 'man',
        summary: 'print the manual page',
        load: async () => (await import('./help/man.ts')).defineMan,
      },
      {
        name: 'completion',
        summary: 'print the completion script of a shell',
        load: async () => (await import('./help/completion.command.ts')).defineCompletion,
      },
    ],
  ],
];

/**
 * The tree of commands. Only the one of the name `called` has flags and sub-commands, the others just name and summary;
 * all of them where `called` is `all`, as help, completion and the man page need it.
 */
export async function program(
  ctx: CliContext,
  called: { readonly name: string | undefined } | 'all',
): Promise<VehiCommand> {
  const root = bareRoot(ctx);
  for (const [group, commands] of COMMANDS) {
    root.commandsGroup(group);
    for (const { name, summary, load } of commands) {
      if (called === 'all' || called.name === name) (await load())(root, ctx);
      else root.command(name);
      root.commands.at(-1)?.summary(summary);
    }
  }
  for (const command of root.commands) inherit(command as VehiCommand, root);
  return root;
}

function bareRoot(ctx: CliContext): VehiCommand {
  const topics = TOPICS.map(({ name, about }) => `  ${name.padEnd(12)}  ${about}`);
  return new VehiCommand('vehi')
    .description(
      'Inspects photos of a vehicle on this machine: what is damaged, where, how badly, what it costs.',
    )
    .usage('[command] [options]')
    .version(packageVersion(), '-V, --version', 'print the version')
    .option('--no-color', 'no colours (NO_COLOR does the same)')
    .option('--color', 'colours even where the output is no terminal')
    .option('--no-input', 'never ask a question')
    .helpOption('-h, --help', 'help on a command')
    .showHelpAfterError('(vehi --help lists the commands)')
    .showSuggestionAfterError(true)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => void ctx.stdout.write(text),
      writeErr: (text) => void ctx.stderr.write(text),
      outputError: (text, print) => print(text.replace(/^error: /, 'vehi: ')),
      getOutHasColors: () => ctx.colour.stdout > 0,
      getErrHasColors: () => ctx.colour.stderr > 0,
      getOutHelpWidth: () => ctx.stdout.columns ?? 100,
      getErrHelpWidth: () => ctx.stderr.columns ?? 100,
    })
    .exitOverride()
    .examples(
      ['vehi inspect ./photos', 'look for damage, print a table'],
      ['vehi inspect ./photos --json', 'the same for a program'],
      ['vehi inspect ./photos --annotated out', 'write the photos with numbered boxes'],
    )
    .notes(`Topics (vehi help TOPIC):\n${topics.join('\n')}`);
}

/** Sub-commands throw and print like the root does. */
function inherit(command: VehiCommand, root: VehiCommand): void {
  command.copyInheritedSettings(root);
  command.showHelpAfterError(`(${pathOf(command)} --help shows how)`);
  for (const child of childrenOf(command)) inherit(child, root);
}
