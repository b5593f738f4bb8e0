import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '../../lib/objects.ts';
import type { CliContext } from './context.ts';

interface Choice<T> {
  readonly value: T;
  readonly name: string;
}

/** Prompts on a terminal; faked in tests. */
export interface Asker {
  /** Prompts for a choice in a searchable list with group headings. */
  search<T>(
    message: string,
    groups: readonly { heading: string; choices: readonly Choice<T>[] }[],
  ): Promise<T>;
  select<T>(message: string, choices: readonly Choice<T>[]): Promise<T>;
  /** Prompts for text until `check` returns true; Enter alone returns `fallback`. */
  input(
    message: string,
    check?: (text: string) => true | string | Promise<true | string>,
    fallback?: string,
  ): Promise<string>;
  password(message: string): Promise<string>;
  confirm(message: string, fallback: boolean): Promise<boolean>;
}

/** Returns true if the user left a prompt with Ctrl-C. */
export const isPromptAborted = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ExitPromptError';

/** Prompts for an existing file or folder; Enter alone selects `fallback`. */
export async function promptForPath(message: string, asker: Asker, cwd: string, fallback = '.') {
  const checkExists = async (typed: string) =>
    (await stat(resolve(cwd, typed.trim())).catch(() => undefined))
      ? true
      : `There is no file or folder ${typed.trim()} here.`;
  return (await asker.input(message, checkExists, fallback)).trim() || fallback;
}

/** Creates an asker that uses inquirer on stderr, to keep stdout for the result. */
export async function createTerminalAsker(ctx: CliContext): Promise<Asker> {
  const { default: inquirer } = await import('inquirer');
  const promptModule = inquirer.createPromptModule({ input: ctx.stdin, output: ctx.stderr } as never);
  const prompt = async <T>(type: string, message: string, more: object): Promise<T> => {
    const answers = await promptModule([{ name: 'answer', type, message, ...defined(more) }] as never);
    return (answers as { answer: T }).answer;
  };
  return {
    search: (message, groups) =>
      prompt('search', message, {
        pageSize: 14,
        source(typed = '') {
          const words = typed.toLowerCase().split(/[\s_]+/);
          return groups.flatMap(({ heading, choices }) => {
            const hits = choices.filter(({ name }) =>
              words.every((word) => name.toLowerCase().includes(word)),
            );
            return hits.length === 0 ? [] : [new inquirer.Separator(heading), ...hits];
          });
        },
      }),
    select: (message, choices) =>
      prompt('select', message, { choices: [...choices], pageSize: 14, loop: false }),
    input: (message, validate, fallback) => prompt('input', message, { validate, default: fallback }),
    password: (message) => prompt('password', message, { mask: '*' }),
    confirm: (message, fallback) => prompt('confirm', message, { default: fallback }),
  };
}
