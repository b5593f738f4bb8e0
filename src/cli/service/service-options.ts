import { Option } from 'commander';
import type { VehiCommand } from '../terminal/command.ts';
import { parseNumberBetween } from '../terminal/option-values.ts';

/** Returns the option `--log-level`, of the commands that log while they run. */
export function createLogLevelOption(): Option {
  return new Option('--log-level <level>', 'log lines (JSON on stderr) from this level on').choices([
    'trace',
    'debug',
    'info',
    'warn',
    'error',
    'silent',
  ]);
}

/** Adds the options of the engine that every process of a service has, under their own heading. */
export function addEngineOptions(command: VehiCommand): VehiCommand {
  return command
    .optionsGroup('Engine:')
    .option('--region <code>', 'region where a request names none')
    .option('--regions <file>', 'regions of your own, added to the table')
    .option('--currency <code>', 'currency where a request names none')
    .option(
      '--min-confidence <share>',
      'drop findings below this confidence, 0 to 1',
      parseNumberBetween(0, 1),
    )
    .option('--models <dir>', 'folder with manifest.json and the models (VEHI_MODEL_DIR)');
}
