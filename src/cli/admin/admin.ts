import { define as defineData } from '../data/data.ts';
import { define as defineEvidenceKey } from '../results/evidence-key.ts';
import { define as defineAccounts } from '../service/accounts.ts';
import { define as defineKeys } from '../service/keys.ts';
import { define as defineSchema } from '../service/schema.ts';
import { define as defineWebhooks } from '../service/webhooks.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';

/** Adds `vehi admin`, the commands for operators of a service. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const admin = root
    .command('admin')
    .description(
      'Manages the keys, accounts, webhooks and data of a service; prints its schemas and evidence key.',
    );
  admin.examples('vehi admin keys create --new-account "My shop"', 'vehi admin data backup copy.db');
  for (const defineBelow of [
    defineKeys,
    defineAccounts,
    defineWebhooks,
    defineData,
    defineSchema,
    defineEvidenceKey,
  ])
    defineBelow(admin, ctx);
}
