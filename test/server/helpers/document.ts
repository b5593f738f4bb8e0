import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Response {
  readonly content?: Record<string, { schema: object }>;
}
interface Operation {
  readonly responses: Record<string, Response & { readonly $ref?: string }>;
}
/** The part of an OpenAPI document that answers are held against. */
interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly responses: Record<string, Response> };
}

type DocumentCheck = ReturnType<typeof createDocumentCheck>;
const checks = new Map<string, DocumentCheck>();

/**
 * The check of the document that `make` returns, made once for all services of the same routes, with the schemas that it
 * has compiled: a third of a second of processor time each.
 */
export function findDocumentCheck(routes: string, make: () => object): DocumentCheck {
  const check = checks.get(routes) ?? createDocumentCheck(make() as OpenApiDocument);
  checks.set(routes, check);
  return check;
}

/** Holds answers against an OpenAPI document: status, content type and body. */
function createDocumentCheck(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (a: Ajv2020) => void)(ajv);
  const compiled = new Map<object, ValidateFunction>();
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }));
  return (
    method: string,
    path: string,
    answer: { statusCode: number; headers: Record<string, unknown>; body: string },
  ) => {
    const matching = templates
      .filter(({ pattern }) => pattern.test(path))
      .sort((a, b) => a.template.split('{').length - b.template.split('{').length);
    const operation = matching
      .map(({ template }) => document.paths[template]?.[method.toLowerCase()])
      .find(Boolean);
    // Wrong addresses and methods have no operation in the document; their envelope is checked by the tests.
    if (!operation) return;
    const declared = operation.responses[String(answer.statusCode)];
    const shared = declared?.$ref?.split('/').at(-1);
    const response = shared === undefined ? declared : document.components.responses[shared];
    if (!response)
      throw new Error(
        `${method} ${path}: ${answer.statusCode} is not in the document: ${answer.body.slice(0, 300)}`,
      );
    const schema = response.content?.['application/json']?.schema;
    if (!schema) {
      if (answer.body !== '')
        throw new Error(
          `${method} ${path}: ${answer.statusCode} has a body that the document does not describe`,
        );
      return;
    }
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components: document.components });
    compiled.set(schema, validate);
    if (!validate(JSON.parse(answer.body))) {
      throw new Error(
        `${method} ${path}: ${answer.statusCode} is not as in the document: ${ajv.errorsText(validate.errors)}`,
      );
    }
  };
}
