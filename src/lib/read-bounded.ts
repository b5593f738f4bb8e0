/** Reads a stream into memory. @throws the error of `makeError` beyond `mostBytes` */
export async function readBounded(
  stream: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
  makeError: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let totalBytes = 0;
  for await (const chunk of stream) {
    const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    totalBytes += buffer.length;
    if (totalBytes > maxBytes) throw makeError();
    chunks.push(buffer);
  }
  return Buffer.concat(chunks);
}
