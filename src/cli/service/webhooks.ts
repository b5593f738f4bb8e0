import { Option } from 'commander';
import { ENVIRONMENTS } from '../../domain/choices.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { collect } from '../terminal/option-values.ts';
import type { WebhookFlags } from './webhooks.run.ts';

const addCommonOptions = (command: VehiCommand) =>
  command
    .option('--base-url <url>', 'address of the service (VEHI_BASE_URL)')
    .option('--api-key-file <file>', 'read the key from a file')
    .addOption(new Option('--profile <name>', 'which stored key').choices(ENVIRONMENTS))
    .option('--json', 'as JSON');

/** Adds `vehi admin webhooks`: events of a service, with the key of `vehi auth login`. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const webhooks = root
    .command('webhooks')
    .description('Registers and watches webhooks of a vehi service, with the key of vehi auth login.');
  webhooks.examples(
    'vehi admin webhooks add https://shop.example.com/vehi',
    'vehi admin webhooks deliveries whe_01J8ZQ4T7M',
  );
  const run = () => import('./webhooks.run.ts');

  addCommonOptions(webhooks.command('add'))
    .description('Registers an address. The signing secret is shown once.')
    .argument('<url>', 'https address that receives the events')
    .option('--event <name>', 'only this event; repeatable (default: both completion events)', collect)
    .option('--description <text>', 'a note')
    .examples(
      'vehi admin webhooks add https://shop.example.com/vehi',
      'vehi admin webhooks add https://shop.example.com/vehi --description "new shop"',
    )
    .exits({ remote: true })
    .action(async (url: string, flags: WebhookFlags) => (await run()).runWebhooksAdd(url, flags, ctx));
  addCommonOptions(webhooks.command('list'))
    .description('Lists webhooks.')
    .examples('vehi admin webhooks list', 'vehi admin webhooks list --json')
    .exits({ remote: true })
    .action(async (flags: WebhookFlags) => (await run()).runWebhooksList(flags, ctx));
  addCommonOptions(webhooks.command('test'))
    .description('Sends a sample event and shows how it was received.')
    .argument('<id>', 'id of the webhook')
    .examples('vehi admin webhooks test whe_01J8ZQ4T7M')
    .exits({ remote: true })
    .action(async (id: string, flags: WebhookFlags) => (await run()).runWebhooksTest(id, flags, ctx));
  addCommonOptions(webhooks.command('deliveries'))
    .description('Shows the delivery log, newest first.')
    .argument('<id>', 'id of the webhook')
    .examples('vehi admin webhooks deliveries whe_01J8ZQ4T7M')
    .exits({ remote: true })
    .action(async (id: string, flags: WebhookFlags) => (await run()).runWebhooksDeliveries(id, flags, ctx));
  addCommonOptions(webhooks.command('replay'))
    .description('Delivers a message once more.')
    .argument('<id>', 'id of the webhook')
    .argument('<message>', 'id of the message (vehi admin webhooks deliveries)')
    .examples('vehi admin webhooks replay whe_01J8ZQ4T7M msg_01J8ZQ4T7M')
    .exits({ remote: true })
    .action(async (id: string, message: string, flags: WebhookFlags) =>
      (await run()).runWebhooksReplay(id, message, flags, ctx),
    );
  addCommonOptions(webhooks.command('remove'))
    .description('Removes a webhook with its delivery log.')
    .argument('<id>', 'id of the webhook')
    .examples('vehi admin webhooks remove whe_01J8ZQ4T7M')
    .exits({ remote: true })
    .action(async (id: string, flags: WebhookFlags) => (await run()).runWebhooksRemove(id, flags, ctx));
}
