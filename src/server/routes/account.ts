import { AccountSchema, AuthTestSchema } from '../../contract/answers.ts';
import { readCaller } from '../http/auth.ts';
import type { App } from '../http/fastify-types.ts';
import { succeed } from '../http/success.ts';
import type { Services } from '../services.ts';
import { defineOperations, describeData } from './schemas.ts';

const { defineGet } = defineOperations('account');

/** Registers `GET /v1/auth/test` and `GET /v1/account`, both open to any valid key. */
export function registerAccountRoutes(app: App, services: Services): void {
  app.get(
    '/v1/auth/test',
    defineGet('testAuthentication', 'Check the key', {
      response: { 200: describeData(AuthTestSchema, 'The key is valid.') },
    }),
    async (request) => {
      const { account, key } = readCaller(request);
      return succeed({
        authenticated: true,
        account_id: account.id,
        plan: account.plan,
        permissions: [...key.permissions],
        environment: key.environment,
        key_id: key.id,
        key_expires_at: key.expiresAt,
      });
    },
  );

  app.get(
    '/v1/account',
    defineGet('getAccount', 'Account information', {
      response: { 200: describeData(AccountSchema, 'The account of the key.') },
    }),
    async (request) => {
      const { account, key, limits } = readCaller(request);
      const nowMs = services.clock.wallMs();
      const rate = await services.rates.peek(account.id, limits.requestsPerHour, nowMs);
      return succeed({
        account_id: account.id,
        name: account.name,
        plan: account.plan,
        status: account.status,
        permissions: [...key.permissions],
        environment: key.environment,
        created_at: account.createdAt,
        limits: {
          requests_per_hour: limits.requestsPerHour,
          concurrent_requests: limits.concurrentRequests,
        },
        usage: {
          requests_this_hour: rate.used,
          window_resets_at: new Date(nowMs + rate.resetMs).toISOString(),
        },
      });
    },
  );
}
