import { expect, test } from 'vitest';
import { makeFileUrl } from '../../../../src/web/shared/api.ts';

test.each(['https://host', 'https://host/vehi', 'https://host/files/vehi'])(
  'a link of a service at %s is relative to the page',
  (address) => {
    const file = '/files/vis_1/view-0.jpg?expires=1&signature=a-_b';
    expect(makeFileUrl(`${address}${file}`)).toBe(`..${file}`);
  },
);
