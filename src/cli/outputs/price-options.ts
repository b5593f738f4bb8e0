import { Option } from 'commander';

/** Returns the option `--region`, of commands that price. */
export function defineRegionOption(): Option {
  return new Option('--region <code>', 'region of the price table (vehi regions list)');
}

/** Returns the option `--regions`, of every command that reads the price table. */
export function defineRegionsOption(): Option {
  return new Option('--regions <file>', 'regions of your own, added to the table');
}

/** Returns the option `--currency`, of commands that price. */
export function defineCurrencyOption(): Option {
  return new Option(
    '--currency <code>',
    'of all amounts, e.g. EUR or CHF (default: USD, or that of a region of your own)',
  );
}
