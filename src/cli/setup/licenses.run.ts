import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Chalk } from 'chalk';
import { toJsonText } from '../../lib/json.ts';
import { readOwnJson } from '../../lib/own-json.ts';
import { renderPlainTable } from '../tables/plain-table.ts';
import { countColumns } from '../terminal/columns.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Runs `vehi licenses`: every package that is installed for vehi to run, found the way Node finds them. */
export async function runLicenses(json: boolean, ctx: CliContext): Promise<void> {
  const own = dirname(fileURLToPath(new URL('../../../package.json', import.meta.url)));
  const packages = listInstalled(own).sort(
    (a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version),
  );
  const rows = packages.map(({ name, version, license }) => ({
    name,
    version,
    license: (typeof license === 'string' ? license : license?.type) ?? 'not stated',
  }));
  if (json) return write(ctx.stdout, toJsonText({ packages: rows }));
  const cells = rows.map((row) => [row.name, row.version, row.license]);
  const chalk = new Chalk({ level: ctx.colour.stdout });
  const head = ['package', 'version', 'licence'];
  await write(
    ctx.stdout,
    `${renderPlainTable(head, cells, { chalk, columns: countColumns(ctx), wrap: head })}\n`,
  );
}

function listInstalled(root: string): Package[] {
  const found = new Map<string, Package>();
  const visit = (folder: string) => {
    const { dependencies, optionalDependencies } = read(folder) ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = findModulesFolder(name, folder);
      const facts = place === null || found.has(place) ? null : read(place);
      if (place === null || facts === null) continue;
      found.set(place, facts);
      visit(place);
    }
  };
  visit(root);
  return [...found.values()];
}

/** Returns the nearest `node_modules` at or above `from` that holds the package; null where it is not installed. */
function findModulesFolder(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (read(place) !== null) return place;
    if (dirname(folder) === folder) return null;
  }
}

function read(folder: string): Package | null {
  try {
    return readOwnJson<Package>(pathToFileURL(join(folder, 'package.json')));
  } catch {
    return null;
  }
}
