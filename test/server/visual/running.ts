import type { photoHost, TestService } from '../helpers/service.ts';

/** The operator's own limits of the service. */
export const OWN_LIMITS = { certain: 0.6, toCheck: 0.4 };

/** The one service that the tests of visual inspections share, and a host of photos. */
export interface Running {
  readonly service: TestService;
  readonly host: Awaited<ReturnType<typeof photoHost>>;
  /** Addresses of photos that fit, four by default. */
  readonly good: (count?: number) => string[];
}
