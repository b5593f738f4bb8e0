/** Model used in a run, for the record. */
export interface ModelUsed {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly precision: string;
  readonly sha256: string;
  /** Digest of the postprocessing rules: labels, curves, judge, limits. Absent in older results. */
  readonly rules_sha256?: string;
}

/** Formats the models for `ai_model_version`: `name@version`, joined by `+`. */
export function toModelVersion(models: readonly Pick<ModelUsed, 'name' | 'version'>[]): string {
  return models.map(({ name, version }) => `${name}@${version}`).join('+');
}
