import { buildProgram } from '../../../src/cli/program.ts';
import { formatCommandPath, listChildren, type VehiCommand } from '../../../src/cli/terminal/command.ts';
import { fakeTerminal } from './fake-terminal.ts';

/** Every command of the tree, the root first. */
export async function listCommands(): Promise<readonly VehiCommand[]> {
  const below = (command: VehiCommand): VehiCommand[] => [command, ...listChildren(command).flatMap(below)];
  return below(await buildProgram(fakeTerminal({}).ctx, 'all'));
}

/** The words behind `vehi` that call a command. */
export function listWords(command: VehiCommand): string[] {
  return formatCommandPath(command).split(' ').slice(1);
}
