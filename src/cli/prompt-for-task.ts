import { type Asker, createTerminalAsker, promptForPath } from './terminal/asker.ts';
import type { CliContext } from './terminal/context.ts';
import { writeStatus } from './terminal/output.ts';
import { quoteCommandLine } from './terminal/shell-words.ts';

const TASKS = [
  { value: 'inspect', name: 'Inspect the photos of a vehicle' },
  { value: 'capture', name: 'Photograph a vehicle with a phone' },
  { value: 'fleet', name: 'Inspect many vehicles, each in its folder' },
  { value: 'assess', name: 'Price a list of damages' },
  { value: 'open', name: 'Open the result of an inspection' },
  { value: 'init', name: 'Set up this folder (vehi.config.json)' },
  { value: 'doctor', name: 'Check that everything works here' },
  { value: 'help', name: 'Help' },
  { value: 'leave', name: 'Leave' },
] as const;
type Task = (typeof TASKS)[number]['value'];

/**
 * Prompts for a task and its arguments.
 * @returns the words to run after `vehi`, printed first so the user can type them next time; null to quit
 */
export async function promptForTask(ctx: CliContext, asker?: Asker): Promise<readonly string[] | null> {
  const questions = asker ?? (await createTerminalAsker(ctx));
  const task = await questions.select('What should vehi do?', TASKS);
  const words = await askForArguments(task, questions, ctx);
  if (words) await writeStatus(ctx, `> ${quoteCommandLine(['vehi', ...words])}\n`);
  return words;
}

async function askForArguments(task: Task, asker: Asker, ctx: CliContext): Promise<readonly string[] | null> {
  if (task === 'leave') return null;
  if (task === 'inspect') return [task, toOperand(await promptForPath('Folder or photo', asker, ctx.cwd))];
  if (task === 'capture')
    return [task, toOperand((await asker.input('Folder for the photos', undefined, 'capture')).trim())];
  if (task === 'fleet') {
    const folder = await promptForPath('Folder with a subfolder for each vehicle', asker, ctx.cwd);
    const output = await asker.input('Folder for the results', undefined, 'results');
    return ['inspect', '--many', folder, '--output', output.trim(), '--resume'];
  }
  return task === 'open' ? openResult(asker, ctx) : [task];
}

/** Prompts for the JSON of a result and an action on it. */
async function openResult(asker: Asker, ctx: CliContext): Promise<readonly string[]> {
  const file = toOperand(await promptForPath('JSON of the result', asker, ctx.cwd, 'result.json'));
  const action = await asker.select('And then?', [
    { value: 'show', name: 'Show it' },
    { value: 'report', name: 'Make a PDF report' },
    { value: 'review', name: 'Review its findings' },
  ]);
  return action === 'show' ? ['report', file, '--format', 'table'] : [action, file];
}

/** Converts a path to an operand; a leading dash must not make it a flag. */
const toOperand = (path: string) => (path.startsWith('-') ? `./${path}` : path);
