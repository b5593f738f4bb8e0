import { Option } from 'commander';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { SCHEMA_NAMES, type SchemaName } from './schema-names.ts';

/** Adds `vehi admin schema` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('schema')
    .description(
      'Prints the OpenAPI 3.1 document of the service, or the JSON Schema of an output or request.',
    )
    .addOption(new Option('--of <name>', 'what to describe').choices(SCHEMA_NAMES).default('openapi'))
    .examples('vehi admin schema > openapi.json', 'vehi admin schema --of inspection')
    .action(async (flags: { of: SchemaName }) => (await import('./schema.run.ts')).runSchema(flags.of, ctx));
}
