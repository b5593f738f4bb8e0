import { expect, it } from 'vitest';
import { formatStart } from '../../../../src/cli/service/serve.run.ts';

const start = { address: 'http://localhost:8080', metrics: undefined, api_key: 'dev_x', demo_photos: ['a'] };

it('in a terminal, a service says in two lines where to open the page, and the key', () => {
  expect(formatStart(start, true)).toBe('Open  http://localhost:8080/app/\nKey   dev_x\n');
  expect(formatStart({ address: start.address }, true)).toBe(
    'Open  http://localhost:8080/app/\nKey   as shown when it was created; another: vehi admin keys create\n',
  );
});

it('to a program, it is one line of JSON without what is unknown', () => {
  expect(formatStart(start, false)).toBe(
    '{"address":"http://localhost:8080","api_key":"dev_x","demo_photos":["a"]}\n',
  );
});
