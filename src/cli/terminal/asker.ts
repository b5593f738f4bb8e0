import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '../../lib/defined.ts';
import type { CliContext } from './context.ts';

export interface Choice<T> {
  readonly value: T;
  readonly name: string;
}

/** Questions on a terminal; faked in tests. */
export interface Asker {
  /** One of a list that is searched by typing; a heading stands before the first choice of each group. */
  search<T>(
    message: string,
    groups: readonly { heading: string; choices: readonly Choice<T>[] }[],
  ): Promise<T>;
  /** One of a few; the cursor starts at `fallback`. */
  select<T>(message: string, choices: readonly Choice<T>[], fallback?: T): Promise<T>;
  /** A text; asked again until `check` returns true. Enter alone is `fallback`. */
  input(
    message: string,
    check?: (text: string) => true | string | Promise<true | string>,
    fallback?: string,
  ): Promise<string>;
  /** A text that is not shown while it is typed. */
  password(message: string): Promise<string>;
  confirm(message: string, fallback: boolean): Promise<boolean>;
}

/** Returns whether an error means that a person left a question with Ctrl-C. */
export function isLeft(error: unknown): boolean {
  return error instanceof Error && error.name === 'ExitPromptError';
}

/** Asks for a folder or photo that is there; Enter alone is the working directory. */
export async function askForPlace(message: string, asker: Asker, cwd: string): Promise<string> {
  const isThere = async (typed: string) =>
    (await stat(resolve(cwd, typed.trim())).catch(() => undefined))
      ? true
      : `There is no ${typed.trim() || 'such place'} here.`;
  return (await asker.input(message, isThere, '.')).trim() || '.';
}

/** Creates an asker that uses inquirer and writes to stderr, so that stdout holds only the result. */
export async function createTerminalAsker(ctx: CliContext): Promise<Asker> {
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({ input: ctx.stdin, output: ctx.stderr } as never);
  const ask = async (question: Record<string, unknown>): Promise<unknown> => {
    const answers = (await prompt([{ name: 'answer', ...question }] as never)) as { answer: unknown };
    return answers.answer;
  };
  return {
    search: (message, groups) =>
      ask({
        type: 'search',
        message,
        pageSize: 14,
        source: (typed: string | undefined) => {
          const words = (typed ?? '')
            .toLowerCase()
            .split(/[\s_]+/)
            .filter(Boolean);
          return groups.flatMap(({ heading, choices }) => {
            const hits = choices.filter(({ name }) =>
              words.every((word) => name.toLowerCase().includes(word)),
            );
            return hits.length === 0 ? [] : [new inquirer.Separator(heading), ...hits];
          });
        },
      }) as never,
    select: (message, choices, fallback) =>
      ask({
        type: 'select',
        message,
        choices: [...choices],
        pageSize: 14,
        loop: false,
        ...defined({ default: fallback }),
      }) as never,
    input: async (message, check, fallback) =>
      String(
        await ask({
          type: 'input',
          message,
          ...(check ? { validate: check } : {}),
          ...defined({ default: fallback }),
        }),
      ),
    password: async (message) => String(await ask({ type: 'password', mask: '*', message })),
    confirm: async (message, fallback) => Boolean(await ask({ type: 'confirm', message, default: fallback })),
  };
}
