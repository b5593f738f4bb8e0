import { inject } from 'vitest';
import { waitUntilFilled } from '../helpers/readied-folder.ts';

await waitUntilFilled(inject('runnerTemp'));
