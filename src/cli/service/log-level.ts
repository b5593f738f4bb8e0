import { Option } from 'commander';

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
