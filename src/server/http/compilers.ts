import { createRequire } from 'node:module';
import { createValidator, type RouteSchema } from './validation.ts';

type Serializer = (body: unknown) => string;

/**
 * Creates validators, and serializers that are compiled on the first call of their route: compiling all of them takes a
 * third of the startup time. Errors have their own serializer (`registerErrors`), so their schemas are not compiled.
 */
export function createCompilers() {
  const getters: (() => unknown)[] = [];
  const createLazy = <T>(create: () => T): (() => T) => {
    let value: T | undefined;
    const get = () => {
      value ??= create();
      return value;
    };
    getters.push(get);
    return get;
  };
  return {
    /** Fastify's factories of validators, which interpret a schema directly, and of serializers (fast-json-stringify). */
    buildValidator: (route: RouteSchema) => createValidator(route),
    buildSerializer({ schema, httpStatus }: { schema: unknown; httpStatus?: string }): Serializer {
      if (Number(httpStatus) >= 400) return JSON.stringify;
      const getSerializer = createLazy(() => loadFastJsonStringify()(schema));
      return (body) => getSerializer()(body);
    },
    /** Compiles all serializers now, so no request has to wait for one. */
    prepare() {
      for (const create of getters) create();
    },
  };
}

/** Loads the CommonJS module on first use. */
function loadFastJsonStringify(): (schema: unknown) => Serializer {
  return createRequire(import.meta.url)('fast-json-stringify') as (schema: unknown) => Serializer;
}
