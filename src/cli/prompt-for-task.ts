import { formatDateTime } from '../report/figures.ts';
import { readVehicleId } from '../report/finding-rows.ts';
import { readCreatedAt, readResultId } from '../storage/results.ts';
import { openResultStore } from './results/results.ts';
import { type Asker, createTerminalAsker, promptForPath } from './terminal/asker.ts';
import type { CliContext } from './terminal/context.ts';
import { writeStatus } from './terminal/output.ts';
import { quoteCommandLine } from './terminal/shell-words.ts';

type Task = 'inspect' | 'fleet' | 'assess' | 'open' | 'init' | 'doctor' | 'help' | 'leave';

const TASKS: readonly { readonly value: Task; readonly name: string }[] = [
  { value: 'inspect', name: 'Inspect the photos of a vehicle' },
  { value: 'fleet', name: 'Inspect many vehicles, each in its folder' },
  { value: 'assess', name: 'Price a list of damages' },
  { value: 'open', name: 'Open a saved result' },
  { value: 'init', name: 'Set up this folder (vehi.config.json)' },
  { value: 'doctor', name: 'Check that everything works here' },
  { value: 'help', name: 'Help' },
  { value: 'leave', name: 'Leave' },
];

/**
 * Prompts for a task and its arguments.
 * @returns the words to run after `vehi`, printed first so the user can type them next time; null to quit
 */
export async function promptForTask(ctx: CliContext, asker?: Asker): Promise<readonly string[] | null> {
  const questions = asker ?? (await createTerminalAsker(ctx));
  for (;;) {
    const words = await askForArguments(
      await questions.select('What should vehi do?', TASKS),
      questions,
      ctx,
    );
    if (words === 'again') continue;
    if (words) await writeStatus(ctx, `> ${quoteCommandLine(['vehi', ...words])}\n`);
    return words;
  }
}

async function askForArguments(
  task: Task,
  asker: Asker,
  ctx: CliContext,
): Promise<readonly string[] | null | 'again'> {
  if (task === 'leave') return null;
  if (task === 'inspect') {
    const folder = await promptForPath('Folder or photo', asker, ctx.cwd);
    const isSaved = await asker.confirm('Keep the result for vehi history and report?', true);
    return ['inspect', ...toOperand(folder), ...(isSaved ? ['--save'] : [])];
  }
  if (task === 'fleet') {
    const folder = await promptForPath('Folder with a sub-folder for each vehicle', asker, ctx.cwd);
    const output = await asker.input('Folder for the results', undefined, 'results');
    return ['inspect', '--many', folder, '--output', output.trim(), '--resume'];
  }
  return task === 'open' ? openSaved(asker, ctx) : [task];
}

/** Prompts for a stored result and an action on it. */
async function openSaved(asker: Asker, ctx: CliContext): Promise<readonly string[] | 'again'> {
  const { results } = await openResultStore(ctx).list();
  if (results.length === 0) {
    await writeStatus(ctx, 'No result is saved yet: use vehi inspect --save.');
    return 'again';
  }
  const id = await asker.search('Which one? (type to search)', [
    {
      heading: 'Newest first',
      choices: results.map((result) => {
        const value = readResultId(result);
        return {
          value,
          name: `${readVehicleId(result)}  ${formatDateTime(readCreatedAt(result))}  ${value}`,
        };
      }),
    },
  ]);
  const action = await asker.select('And then?', [
    { value: 'history', name: 'Show it' },
    { value: 'report', name: 'Make a PDF report' },
    ...(id.startsWith('vis_') ? [{ value: 'review', name: 'Review its findings' }] : []),
  ]);
  return [action, id];
}

/** Converts a path to an operand; a leading dash must not make it a flag. */
function toOperand(path: string): readonly string[] {
  return [path.startsWith('-') ? `./${path}` : path];
}
