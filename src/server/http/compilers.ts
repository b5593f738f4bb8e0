import { createRequire } from 'node:module';
import { createValidator, type RouteSchema } from './validation.ts';

type Serialise = (body: unknown) => string;

/** Fastify's factories of validators, which read a schema as it is, and serialisers, by fast-json-stringify. */
export interface Compilers {
  buildValidator(route: RouteSchema): ReturnType<typeof createValidator>;
  buildSerializer(route: { schema: unknown; httpStatus?: string }): Serialise;
  /** Makes all serialisers now, where no caller should be the first to wait for one. */
  prepare(): void;
}

/**
 * Creates validators, and serialisers that are made when their route is first called: made for all routes together they
 * are a third of the start. Errors have a serialiser of their own (`registerErrors`), so none is made of their schemas.
 */
export function createCompilers(): Compilers {
  const all: (() => unknown)[] = [];
  const lazily = <T>(make: () => T): (() => T) => {
    let made: T | undefined;
    const get = () => {
      made ??= make();
      return made;
    };
    all.push(get);
    return get;
  };
  return {
    buildValidator: (route) => createValidator(route),
    buildSerializer({ schema, httpStatus }) {
      if (Number(httpStatus) >= 400) return JSON.stringify;
      const serialise = lazily(() => loadFastJsonStringify()(schema));
      return (body) => serialise()(body);
    },
    prepare() {
      for (const make of all) make();
    },
  };
}

/** Loads the CommonJS module at the first use. */
function loadFastJsonStringify(): (schema: unknown) => Serialise {
  return createRequire(import.meta.url)('fast-json-stringify') as (schema: unknown) => Serialise;
}
