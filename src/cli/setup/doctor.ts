import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { DoctorFlags } from './doctor.run.ts';

/** Adds `vehi doctor` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('doctor')
    .description('Checks the requirements of vehi on this machine, with a remedy for each failure.')
    .flags({ baseUrl: 'also see whether this service answers' })
    .examples('vehi doctor', 'vehi doctor --base-url https://vehi.example.com', 'vehi doctor --json')
    .exits({ engine: 'something does not work' })
    .action(async (flags: DoctorFlags) => (await import('./doctor.run.ts')).runDoctor(flags, ctx));
}
