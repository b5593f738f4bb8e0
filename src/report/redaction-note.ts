/** Formats the note on redacted regions; undefined if no redaction was requested. */
export function describeRedaction(plates: boolean, named: boolean): string | undefined {
  if (plates)
    return `Number plates that a model found${named ? ', and regions named by hand,' : ''} are made unrecognisable in the pictures of this report. The model misses some plates, and faces were not looked for.`;
  if (named)
    return 'Regions named by hand are made unrecognisable in the pictures of this report. Other number plates and faces were not looked for.';
  return undefined;
}
