/* Prints the packages that vehi is installed with, from the lock file: `npm run build` keeps them as THIRD-PARTY.txt. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
}

const LOCK = resolve(import.meta.dirname, '../package-lock.json');

/** Returns a line per package: name, version, licence. */
export function listThirdParty(lock = readFileSync(LOCK, 'utf8')): readonly string[] {
  const packages = Object.entries(
    (JSON.parse(lock) as { readonly packages: Readonly<Record<string, Locked>> }).packages,
  );
  const lines = packages
    .filter(([place, { dev }]) => place !== '' && !dev)
    .map(([place, { version = '', license = 'not stated' }]) =>
      [place.replace(/^.*node_modules\//, '').padEnd(40), version.padEnd(12), license].join(' '),
    );
  return [...new Set(lines)].sort();
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(
    `Packages that vehi is installed with, those of other systems included (NOTICE names what they contain):\n\n${listThirdParty().join('\n')}\n`,
  );
