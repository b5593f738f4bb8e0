import { readPackageVersion } from '../lib/package-json.ts';
import { TOPICS } from './help/help-topics.ts';
import { formatCommandPath, type LoadTree, listChildren, VehiCommand } from './terminal/command.ts';
import type { CliContext } from './terminal/context.ts';

type Row = readonly [
  name: string,
  summary: string,
  load: () => Promise<{ define(root: VehiCommand, ctx: CliContext, wholeTree: LoadTree): void }>,
];

/** Commands in groups, in help order; loading all instead of the called one would double the start time. */
const COMMANDS: readonly (readonly [group: string, commands: readonly Row[]])[] = [
  [
    'Work:',
    [
      [
        'inspect',
        'find the damage in photos of a vehicle, grade it, price the repair',
        () => import('./inspect/inspect.ts'),
      ],
      [
        'assess',
        'repair options, hours, parts and costs for a list of damages',
        () => import('./assess/assess.ts'),
      ],
      ['review', 'accept, reject or correct the findings of a result', () => import('./review/review.ts')],
      ['report', 'make a PDF, HTML or other report from a result', () => import('./results/report.ts')],
      ['compare', 'compare two inspections of one vehicle', () => import('./results/compare.ts')],
      [
        'verify',
        'verify the contents and signature of an evidence file',
        () => import('./results/verify.ts'),
      ],
      ['history', 'list saved results, or show one', () => import('./results/history.ts')],
    ],
  ],
  [
    'Service:',
    [
      ['serve', 'run the REST API', () => import('./service/serve.ts')],
      ['work', 'run the inspections of a service on several machines', () => import('./work/work.ts')],
      ['auth', 'keys for a vehi service: log in, test, log out', () => import('./service/auth.ts')],
      [
        'admin',
        'manage keys, accounts, webhooks and data of a service; print its OpenAPI document',
        () => import('./admin/admin.ts'),
      ],
    ],
  ],
  [
    'Tables, models, settings:',
    [
      ['regions', 'price tables: labor rates, total-loss rules, sources', () => import('./setup/regions.ts')],
      ['models', 'list, verify and measure the models', () => import('./models/models.ts')],
      ['init', 'write a commented vehi.config.json', () => import('./setup/init.ts')],
      ['config', 'show and change settings', () => import('./setup/config.ts')],
      ['doctor', 'check the requirements on this machine', () => import('./setup/doctor.ts')],
    ],
  ],
  [
    'Help:',
    [
      ['help', 'help on a command or a topic', () => import('./help/help.ts')],
      ['completion', 'print a shell completion script', () => import('./help/completion.command.ts')],
    ],
  ],
];

/**
 * Builds the command tree. Only the command named by `called` has flags and subcommands, the others have name and
 * summary. With `all`, every command is complete, as required by help, completion and the man page.
 */
export async function buildProgram(
  ctx: CliContext,
  called: { readonly name: string | undefined } | 'all',
): Promise<VehiCommand> {
  const root = makeBareRoot(ctx);
  const wholeTree = () => buildProgram(ctx, 'all');
  for (const [group, commands] of COMMANDS) {
    root.commandsGroup(group);
    for (const [name, summary, load] of commands) {
      if (called === 'all' || called.name === name) (await load()).define(root, ctx, wholeTree);
      else root.command(name);
      root.commands.at(-1)?.summary(summary);
    }
  }
  for (const command of root.commands) inherit(command as VehiCommand, root);
  return root;
}

function makeBareRoot(ctx: CliContext): VehiCommand {
  const topics = TOPICS.map(({ name, description }) => `  ${name.padEnd(12)}  ${description}`);
  return new VehiCommand('vehi')
    .description('Inspects photos of a vehicle on this machine: damage, location, severity and repair cost.')
    .usage('[command] [options]')
    .version(readPackageVersion(), '-V, --version', 'print the version')
    .option('--no-color', 'no colours (NO_COLOR does the same)')
    .option('--color', 'colours even where the output is not a terminal')
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
      ['vehi inspect ./photos', 'find damage, print a table'],
      ['vehi inspect ./photos --json', 'the same as JSON'],
      ['vehi inspect ./photos --annotated out', 'write the photos with numbered boxes'],
    )
    .notes(`Topics (vehi help TOPIC):\n${topics.join('\n')}`);
}

/** Makes subcommands throw and print like the root. */
function inherit(command: VehiCommand, root: VehiCommand): void {
  command.copyInheritedSettings(root);
  command.showHelpAfterError(`(${formatCommandPath(command)} --help shows how)`);
  for (const child of listChildren(command)) inherit(child, root);
}
