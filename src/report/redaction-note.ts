/** Formats the note on redacted number plates; undefined if no redaction was requested. */
export function describeRedaction(plates: boolean): string | undefined {
  return plates
    ? 'Number plates that a model found are made unrecognisable in the pictures of this report. The model misses some plates, and faces were not looked for.'
    : undefined;
}
