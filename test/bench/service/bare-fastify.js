import Fastify from 'fastify';

// A route that only returns the response of `GET /v1/auth/test`: the baseline for the service's overhead.
const app = Fastify({ logger: false });
app.get('/bare', async () => ({
  status: 'success',
  data: {
    authenticated: true,
    account_id: 'acc_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    plan: 'enterprise',
    permissions: ['inspections:read', 'inspections:write', 'webhooks:manage'],
    environment: 'production',
    key_id: 'key_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    key_expires_at: null,
  },
}));
process.stdout.write(`${JSON.stringify({ address: await app.listen({ host: '127.0.0.1', port: 0 }) })}\n`);
