import { type Answer, createJudge, dereference } from '../../contract/document.ts';

/** An answer has these headers unless it is refused before the caller's limit is known. */
const RATE = { ratelimit: '', 'ratelimit-policy': '' };

type DocumentCheck = (method: string, url: string, answer: Answer) => string | undefined;
const checks = new Map<string, DocumentCheck>();

/**
 * The check of the document that `make` returns, made once for all services of the same routes, with the schemas that it
 * has compiled: a third of a second of processor time each.
 */
export function findDocumentCheck(routes: string, make: () => object): DocumentCheck {
  const check = checks.get(routes) ?? createDocumentCheck(make());
  checks.set(routes, check);
  return check;
}

/** Says what of an answer an OpenAPI document does not allow; undefined when all is well. */
function createDocumentCheck(document: object): DocumentCheck {
  const judge = createJudge(dereference(document));
  const operations = judge.operations
    .map((one) => ({ ...one, pattern: new RegExp(`^${one.path.replace(/\{[^}]+\}/g, '[^/]+')}$`) }))
    // A word before a parameter in the same place.
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  return (method, url, answer) => {
    const [path = ''] = url.split('?');
    const operation = operations.find((one) => one.method === method.toLowerCase() && one.pattern.test(path));
    // Wrong addresses and methods have no operation in the document; their envelope is checked by the tests.
    return operation && judge.fault(operation, { ...answer, headers: { ...RATE, ...answer.headers } });
  };
}
