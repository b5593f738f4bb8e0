import { createRequire } from 'node:module';
import type { TSchema } from 'typebox';
import { createValidator, type RouteSchema } from './validation.ts';

type Serialise = (body: unknown) => string;

/** Fastify's factories of validators and serialisers, over TypeBox and fast-json-stringify. */
export interface Compilers {
  readonly factory: {
    buildValidator(): (route: RouteSchema) => (value: unknown) => { value: unknown } | { error: Error };
    buildSerializer(): (route: { schema: unknown; httpStatus?: string }) => Serialise;
  };
  /** Loads what makes validators: 300 files, too many to read before the service answers. Needed before validation. */
  load(): Promise<void>;
  readonly loaded: boolean;
  /** Makes all of them now, where no caller should be the first to wait for one. */
  prepare(): Promise<void>;
}

/**
 * Creates validators and serialisers, each made when its route is first called: made for all routes together they are a
 * third of the start. Errors have a serialiser of their own (`registerErrors`), so none is made of their schemas.
 */
export function createCompilers(): Compilers {
  const all: (() => unknown)[] = [];
  let typebox: typeof import('typebox/compile') | undefined;
  const lazily = <T>(make: () => T): (() => T) => {
    let made: T | undefined;
    const get = () => {
      made ??= make();
      return made;
    };
    all.push(get);
    return get;
  };
  async function load(): Promise<void> {
    typebox ??= await import('typebox/compile');
  }
  return {
    factory: {
      buildValidator: () => (route) => {
        const compiled = lazily(() => {
          if (typebox === undefined) throw new Error('validation before its compiler was loaded');
          return typebox.Compile(route.schema as TSchema);
        });
        return createValidator(route, compiled);
      },
      buildSerializer:
        () =>
        ({ schema, httpStatus }) => {
          if (Number(httpStatus) >= 400) return JSON.stringify;
          const serialise = lazily(() => fastJsonStringify()(schema));
          return (body) => serialise()(body);
        },
    },
    load,
    get loaded() {
      return typebox !== undefined;
    },
    async prepare() {
      await load();
      for (const make of all) make();
    },
  };
}

/** Loads the CommonJS module at the first use. */
function fastJsonStringify(): (schema: unknown) => Serialise {
  return createRequire(import.meta.url)('fast-json-stringify') as (schema: unknown) => Serialise;
}
