import { resolve } from 'node:path';
import { Chalk } from 'chalk';
import { VehiError } from '../../lib/errors.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import type { ImportReport } from '../../storage/import/import-directory.ts';
import {
  readDatabaseAddress,
  readObjectsAddress,
  type SharedFlags,
  warnOfPassword,
} from '../service/shared-addresses.ts';
import { openObjects } from '../service/shared-store.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write, writeStatus } from '../terminal/output.ts';

/** Parsed flags of `vehi admin data import`. */
export type ImportFlags = FlagsOf<'admin data import'>;

function requireDatabase(flags: SharedFlags, ctx: CliContext): string {
  const url = readDatabaseAddress(flags, ctx);
  if (url !== undefined) return url;
  throw new VehiError('usage', 'INVALID_OPTION', '--database is missing.', {
    hint: 'For example --database postgres://vehi@db.example.com/vehi (or VEHI_DATABASE).',
  });
}

/** Runs `vehi admin data migrate`. */
export async function runDataMigrate(flags: SharedFlags, ctx: CliContext): Promise<void> {
  const url = requireDatabase(flags, ctx);
  await warnOfPassword(flags, ctx);
  const { openMigratedDatabase } = await import('../../storage/postgres/store.ts');
  const { db, from, to } = await openMigratedDatabase(url, 1);
  await db.close();
  const done = from === to ? 'was up to date' : from === 0 ? 'made' : `brought up from version ${from}`;
  await write(ctx.stdout, `schema version ${to}, ${done}\n`);
}

function renderTable({ tables, files }: ImportReport, ctx: CliContext): string {
  const rows = tables.map(({ table, found, added, present }) => [table, found, added, present].map(String));
  const head = ['', 'in the directory', 'moved now', 'in the database'];
  const all = [...rows, ['files', files.found, files.added, files.found].map(String)];
  return renderPlainTable(head, all, {
    chalk: new Chalk({ level: ctx.colour.stdout }),
    right: head.slice(1),
  });
}

/** Runs `vehi admin data import`. */
export async function runDataImport(flags: ImportFlags, ctx: CliContext): Promise<void> {
  const url = requireDatabase(flags, ctx);
  const objects = await openObjects(readObjectsAddress(flags, ctx));
  await warnOfPassword(flags, ctx);
  const { importDirectory } = await import('../../storage/import/import-directory.ts');
  const report = await importDirectory({
    directory: resolve(ctx.cwd, flags.from),
    url,
    objects,
    onProgress: ({ table, found }) => void writeStatus(ctx, `vehi: ${table}: ${found} checked`),
  });
  await write(ctx.stdout, flags.json ? `${JSON.stringify(report)}\n` : `${renderTable(report, ctx)}\n`);
  for (const one of report.left) await writeStatus(ctx, `vehi: not moved: ${one}`);
  const short = report.tables.filter(({ found, present }) => present !== found);
  if (short.length === 0) return writeStatus(ctx, 'vehi: everything has been moved');
  throw new VehiError(
    'usage',
    'IMPORT_INCOMPLETE',
    `the database has other rows under the same ids: ${short.map((one) => `${one.table} ${one.found - one.present}`).join(', ')}`,
    {
      hint: 'Import into an empty database, or one that holds no part of another directory with the same ids.',
    },
  );
}
