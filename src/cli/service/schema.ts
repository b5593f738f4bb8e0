import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';

/** Adds `vehi admin schema` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('schema')
    .description(
      'Prints the OpenAPI 3.1 document of the service, or the JSON Schema of an output or request.',
    )
    .flags()
    .examples('vehi admin schema > openapi.json', 'vehi admin schema --of inspection')
    .action(async (flags: FlagsOf<'admin schema'>) =>
      (await import('./schema.run.ts')).runSchema(flags.of, ctx),
    );
}
