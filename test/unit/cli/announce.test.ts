import { expect, it } from 'vitest';
import { describeStart, formatStart } from '../../../src/cli/service/announce.ts';

const start = { address: 'http://localhost:8080', metrics: undefined, api_key: 'dev_x', demo_photos: ['a'] };

it('in a terminal, a service says in two lines where to open the page, and the key', () => {
  expect(describeStart(start)).toBe('Open  http://localhost:8080/app/\nKey   dev_x\n');
  expect(describeStart({ address: start.address })).toBe(
    'Open  http://localhost:8080/app/\nKey   as shown when it was created; another: vehi admin keys create\n',
  );
});

it('to a program, it is one line of JSON without what is unknown', () => {
  expect(formatStart(start)).toBe(
    '{"address":"http://localhost:8080","api_key":"dev_x","demo_photos":["a"]}\n',
  );
});
