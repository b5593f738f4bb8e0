/** Reads a stream into memory. @throws the error of `makeError` beyond `mostBytes` */
export async function readBounded(
  stream: AsyncIterable<Uint8Array | string>,
  mostBytes: number,
  makeError: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    bytes += piece.length;
    if (bytes > mostBytes) throw makeError();
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}
