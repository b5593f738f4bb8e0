import { buildProgram } from '../../../src/cli/program.ts';
import { listChildren, type VehiCommand } from '../../../src/cli/vehi-command.ts';
import { fakeTerminal } from './fake-terminal.ts';

const buildTree = () => buildProgram(fakeTerminal({}).ctx);

/** Every command of the tree, the root first. */
export function listCommands(): readonly VehiCommand[] {
  const below = (command: VehiCommand): VehiCommand[] => [command, ...listChildren(command).flatMap(below)];
  return below(buildTree());
}

/** The calls of vehi in lines of a shell, as words; prompts, redirections and comments left out. */
export function listCalls(script: string): readonly string[][] {
  return script
    .replaceAll(/\\\n\s*/g, ' ')
    .split(/\n|\||&&|;|\$\(|\)/)
    .map((part) => part.replace(/ #.*/, '').replace(/>.*/, '').trim())
    .filter((part) => /^(\$ |npx )?vehi /.test(part))
    .map((part) => (part.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^["']|["']$/g, '')))
    .map((words) => words.slice(words.indexOf('vehi') + 1));
}

/** What the tree does not take of a call: an unknown flag, the operands if they are too many or too few. */
export function findFaults(words: readonly string[]): readonly string[] {
  let command = buildTree();
  let rest = [...words];
  for (;;) {
    const child = listChildren(command).find((one) => one.name() === rest[0]);
    if (!child) break;
    command = child;
    rest = rest.slice(1);
  }
  const { unknown, operands } = command.parseOptions(rest);
  const known = command.registeredArguments;
  const least = known.filter((one) => one.required).length;
  const most = known.some((one) => one.variadic) ? Number.POSITIVE_INFINITY : known.length;
  return [
    ...unknown,
    ...(operands.length < least || operands.length > most ? [`operands: ${operands}`] : []),
  ];
}
