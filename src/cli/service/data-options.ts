import type { VehiCommand } from '../terminal/command.ts';

/** Plans of an account, smallest first. */
export const PLAN_NAMES = ['free', 'starter', 'professional', 'enterprise'];

/** Adds the flags that keys and accounts share: whose data directory, and JSON. */
export function addDataOptions(command: VehiCommand): VehiCommand {
  return command
    .option('--data <dir>', 'data directory of the service (VEHI_DATA_DIR)')
    .option('--json', 'as JSON');
}
