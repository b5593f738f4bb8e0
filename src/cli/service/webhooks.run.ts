import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, Webhook } from '../../contract/webhooks.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import { openRemote } from '../backend/remote.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write } from '../terminal/output.ts';

/** Parsed flags of the `vehi admin webhooks` commands. */
export type WebhookFlags = FlagsOf<'admin webhooks add'>;

const PATH = '/v1/webhooks';
const buildPath = (id: string) => `${PATH}/${encodeURIComponent(id)}`;

async function printResult(
  data: unknown,
  lines: readonly string[],
  flags: WebhookFlags,
  ctx: CliContext,
): Promise<void> {
  await write(ctx.stdout, flags.json ? toJsonText(data) : lines.map((line) => `${line}\n`).join(''));
}

const formatHook = (hook: Webhook) =>
  `${hook.webhook_id}  ${hook.status}  ${hook.url}  ${hook.events.join(',')}`;

function formatDelivery(delivery: Delivery): string {
  const last = delivery.attempts.at(-1);
  const outcome = last === undefined ? 'not tried yet' : (last.error ?? `answered ${last.status_code}`);
  const next = delivery.next_attempt_at === null ? '' : `, next ${delivery.next_attempt_at}`;
  return `${delivery.message_id}  ${delivery.created_at}  ${delivery.event}  ${delivery.status} (${delivery.attempts.length}: ${outcome}${next})`;
}

/** Runs `vehi admin webhooks add`. */
export async function runWebhooksAdd(url: string, flags: WebhookFlags, ctx: CliContext): Promise<void> {
  const { data } = await openRemote(flags, ctx).send<{ data: Webhook }>('POST', PATH, {
    url,
    ...defined({ events: flags.event, description: flags.description }),
  });
  await printResult(data, [formatHook(data), `secret  ${data.secret}`], flags, ctx);
  if (!flags.json)
    await write(
      ctx.stderr,
      'vehi: the secret is shown this once; deliveries are signed with it (Standard Webhooks)\n',
    );
}

/** Runs `vehi admin webhooks list`. */
export async function runWebhooksList(flags: WebhookFlags, ctx: CliContext): Promise<void> {
  const { data } = await openRemote(flags, ctx).get<{ data: { webhooks: Webhook[] } }>(PATH);
  await printResult(data.webhooks, data.webhooks.map(formatHook), flags, ctx);
}

const MAX_POLLS = 20;

/** Runs `vehi admin webhooks test`; exits with 5 if the receiver did not accept the event. */
export async function runWebhooksTest(id: string, flags: WebhookFlags, ctx: CliContext): Promise<void> {
  const remote = openRemote(flags, ctx);
  let { data } = await remote.send<{ data: Delivery }>('POST', `${buildPath(id)}/test`);
  for (let poll = 0; poll < MAX_POLLS && data.attempts.length === 0; poll++) {
    await sleep(1_000);
    const page = await remote.get<{ data: { deliveries: Delivery[] } }>(
      `${buildPath(id)}/deliveries?limit=100`,
    );
    data = page.data.deliveries.find((one) => one.message_id === data.message_id) ?? data;
  }
  await printResult(data, [formatDelivery(data)], flags, ctx);
  if (data.status === 'delivered') return;
  throw new VehiError('remote', 'WEBHOOK_NOT_DELIVERED', 'the receiver did not accept the event.', {
    hint: 'It must answer 2xx within 15 seconds on a public https address.',
  });
}

/** Runs `vehi admin webhooks deliveries`. */
export async function runWebhooksDeliveries(id: string, flags: WebhookFlags, ctx: CliContext): Promise<void> {
  const { data } = await openRemote(flags, ctx).get<{ data: { deliveries: Delivery[] } }>(
    `${buildPath(id)}/deliveries?limit=100`,
  );
  await printResult(data.deliveries, data.deliveries.map(formatDelivery), flags, ctx);
}

/** Runs `vehi admin webhooks replay`. */
export async function runWebhooksReplay(
  id: string,
  message: string,
  flags: WebhookFlags,
  ctx: CliContext,
): Promise<void> {
  const path = `${buildPath(id)}/deliveries/${encodeURIComponent(message)}/replay`;
  const { data } = await openRemote(flags, ctx).send<{ data: Delivery }>('POST', path);
  await printResult(data, [formatDelivery(data)], flags, ctx);
}

/** Runs `vehi admin webhooks remove`. */
export async function runWebhooksRemove(id: string, flags: WebhookFlags, ctx: CliContext): Promise<void> {
  await openRemote(flags, ctx).send('DELETE', buildPath(id));
  await write(ctx.stderr, `vehi: ${id} is removed\n`);
}
