/*
 * vehi — inspects photos of a vehicle on your own machine.
 *
 *   bin/vehi.js ─▶ cli/main ─▶ cli/commands/* ─▶ engine ─▶ images (read, decode) · vision (models) · domain · pricing
 *                                    │
 *                                    └─▶ cli/format, report (table, json, pdf, html …) · server (vehi serve)
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { defineAssess } from './commands/assess.ts';
import { defineAuth } from './commands/auth.ts';
import { defineCompare } from './commands/compare.ts';
import { defineCompletion } from './commands/completion.ts';
import { defineConfig } from './commands/config.ts';
import { defineData } from './commands/data.ts';
import { defineDoctor } from './commands/doctor.ts';
import { defineHistory } from './commands/history.ts';
import { defineInspect } from './commands/inspect.ts';
import { defineAccounts, defineKeys } from './commands/keys.ts';
import { defineLicenses } from './commands/licenses.ts';
import { defineModels } from './commands/models.ts';
import { defineRegions } from './commands/regions.ts';
import { defineReport } from './commands/report.ts';
import { defineReview } from './commands/review.ts';
import { defineSchema } from './commands/schema.ts';
import { defineServe } from './commands/serve.ts';
import { defineWebhooks } from './commands/webhooks.ts';
import { type CliContext, processContext } from './context.ts';
import { reportError } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** Runs one command line; the exit code is set on the context, never by ending the process. */
export async function main(argv: readonly string[], ctx: CliContext = processContext(argv)): Promise<void> {
  // A reader that went away ends the output, not the program; writes that matter wait for their own errors.
  ctx.stdout.on('error', ignoreGoneReader);
  ctx.stderr.on('error', ignoreGoneReader);
  try {
    await program(ctx).parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) ctx.setExitCode(error.exitCode === 0 ? EXIT.done : EXIT.usage);
    else await reportError(error, ctx);
  }
}

/** The tree of commands; also what help, completion and the man page are made from. */
export function program(ctx: CliContext): Command {
  const root = new Command('vehi')
    .description(
      'Inspects photos of a vehicle on this machine: what is damaged, where, how badly, what it costs.',
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .option('--no-color', 'no colours (NO_COLOR does the same)')
    .option('--color', 'colours even where the output is no terminal')
    .option('--no-input', 'never ask a question')
    .showHelpAfterError('(vehi --help lists the commands)')
    .showSuggestionAfterError(true)
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
    .addHelpText('before', EXAMPLES);
  for (const [group, defines] of COMMANDS) {
    root.commandsGroup(group);
    for (const define of defines) define(root, ctx);
  }
  for (const command of root.commands) inherit(command, root);
  return root;
}

const EXAMPLES = `Examples:
  vehi inspect ./photos                 look for damage, print a table
  vehi inspect ./photos --json          the same for a program
  vehi inspect ./photos --annotated out write the photos with numbered boxes
`;

/** In groups, in the order in which help lists them. */
const COMMANDS: readonly (readonly [group: string, define: readonly Define[]])[] = [
  ['Work:', [defineInspect, defineAssess, defineReview, defineReport, defineCompare, defineHistory]],
  [
    'Service:',
    [defineServe, defineAuth, defineKeys, defineAccounts, defineWebhooks, defineData, defineSchema],
  ],
  [
    'Tables, models, settings:',
    [defineRegions, defineModels, defineConfig, defineDoctor, defineLicenses, defineCompletion],
  ],
];
type Define = (root: Command, ctx: CliContext) => void;

/** Sub-commands throw and print like the root does. */
function inherit(command: Command, root: Command): void {
  command.copyInheritedSettings(root);
  command.showHelpAfterError(`(${path(command)} --help shows how)`);
  for (const child of command.commands) inherit(child, root);
}

function path(command: Command): string {
  return command.parent ? `${path(command.parent)} ${command.name()}` : command.name();
}

/** Version of this package, from its own package.json. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

function ignoreGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
