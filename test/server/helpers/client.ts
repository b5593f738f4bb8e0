/** Asks a service that listens, with a key, and reads the answer as JSON. */
export async function ask(
  { address }: { readonly address: string },
  method: string,
  path: string,
  more: { readonly key: string; readonly body?: object; readonly headers?: Record<string, string> },
) {
  const { key, body, headers } = more;
  const answer = await fetch(`${address}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
}
