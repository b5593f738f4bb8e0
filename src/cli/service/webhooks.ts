import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { WebhookFlags } from './webhooks.run.ts';

/** Adds `vehi admin webhooks`, the webhooks of a service, using the key of `vehi auth login`. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const webhooks = root
    .command('webhooks')
    .description('Manages webhooks of a vehi service, with the key of vehi auth login.');
  webhooks.examples(
    'vehi admin webhooks add https://shop.example.com/vehi',
    'vehi admin webhooks deliveries whe_01J8ZQ4T7M',
  );
  const run = () => import('./webhooks.run.ts');

  webhooks
    .command('add')
    .description('Registers an address. The signing secret is shown once.')
    .argument('<url>', 'https address that receives the events')
    .flags({ baseUrl: 'address of the service (VEHI_BASE_URL)' })
    .examples(
      'vehi admin webhooks add https://shop.example.com/vehi',
      'vehi admin webhooks add https://shop.example.com/vehi --description "new shop"',
    )
    .exits({ remote: true })
    .action(async (url: string, flags: WebhookFlags) => (await run()).runWebhooksAdd(url, flags, ctx));
  webhooks
    .command('list')
    .description('Lists webhooks.')
    .flags({ baseUrl: 'address of the service (VEHI_BASE_URL)' })
    .examples('vehi admin webhooks list', 'vehi admin webhooks list --json')
    .exits({ remote: true })
    .action(async (flags: WebhookFlags) => (await run()).runWebhooksList(flags, ctx));
  webhooks
    .command('test')
    .description('Sends a sample event and shows the response.')
    .argument('<id>', 'id of the webhook')
    .flags({ baseUrl: 'address of the service (VEHI_BASE_URL)' })
    .examples('vehi admin webhooks test whe_01J8ZQ4T7M')
    .exits({ remote: true })
    .action(async (id: string, flags: WebhookFlags) => (await run()).runWebhooksTest(id, flags, ctx));
  webhooks
    .command('deliveries')
    .description('Shows the delivery log, newest first.')
    .argument('<id>', 'id of the webhook')
    .flags({ baseUrl: 'address of the service (VEHI_BASE_URL)' })
    .examples('vehi admin webhooks deliveries whe_01J8ZQ4T7M')
    .exits({ remote: true })
    .action(async (id: string, flags: WebhookFlags) => (await run()).runWebhooksDeliveries(id, flags, ctx));
  webhooks
    .command('replay')
    .description('Redelivers a message.')
    .argument('<id>', 'id of the webhook')
    .argument('<message>', 'id of the message (vehi admin webhooks deliveries)')
    .flags({ baseUrl: 'address of the service (VEHI_BASE_URL)' })
    .examples('vehi admin webhooks replay whe_01J8ZQ4T7M msg_01J8ZQ4T7M')
    .exits({ remote: true })
    .action(async (id: string, message: string, flags: WebhookFlags) =>
      (await run()).runWebhooksReplay(id, message, flags, ctx),
    );
  webhooks
    .command('remove')
    .description('Deletes a webhook and its delivery log.')
    .argument('<id>', 'id of the webhook')
    .flags({ baseUrl: 'address of the service (VEHI_BASE_URL)' })
    .examples('vehi admin webhooks remove whe_01J8ZQ4T7M')
    .exits({ remote: true })
    .action(async (id: string, flags: WebhookFlags) => (await run()).runWebhooksRemove(id, flags, ctx));
}
