import { afterAll, beforeAll } from 'vitest';
import { photoHost, startService } from '../helpers/service.ts';
import { describeCreating } from './creating.ts';
import { describeMultipart } from './multipart.ts';
import { describeReading } from './reading.ts';
import { describeRefusing } from './refusing.ts';
import { OWN_LIMITS, type Running } from './running.ts';

let parts: Running;
const running = () => parts;

beforeAll(async () => {
  const host = await photoHost();
  parts = {
    host,
    service: await startService({ ownLimits: OWN_LIMITS }),
    good: (count = 4) => Array.from({ length: count }, (_v, i) => `${host.url}/1920x1080-${i}.jpg`),
  };
});
afterAll(async () => {
  await parts.service.close();
  await parts.host.close();
});

describeCreating(running);
describeRefusing(running);
describeMultipart(running);
describeReading(running);
