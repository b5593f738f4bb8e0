/** Logits of a mask → probability per cell in 0 to 255. A cell without a usable number is 0. */
export function decodeMask(logits: Float32Array): Uint8Array {
  return Uint8Array.from(logits, (value) => {
    const probability = 1 / (1 + Math.exp(-value));
    return Number.isFinite(probability) ? Math.round(255 * probability) : 0;
  });
}
