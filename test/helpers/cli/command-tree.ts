import { buildProgram } from '../../../src/cli/program.ts';
import { listChildren, type VehiCommand } from '../../../src/cli/vehi-command.ts';
import { fakeTerminal } from './fake-terminal.ts';

/** Every command of the tree, the root first. */
export function listCommands(): readonly VehiCommand[] {
  const below = (command: VehiCommand): VehiCommand[] => [command, ...listChildren(command).flatMap(below)];
  return below(buildProgram(fakeTerminal({}).ctx));
}

/** The words behind `vehi` that call a command. */
export function listWords(command: VehiCommand): string[] {
  return command.path.split(' ').filter(Boolean);
}
