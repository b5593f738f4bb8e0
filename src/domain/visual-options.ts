/** Defaults of the options of a visual inspection (contract; `one_vehicle` and `skip_unusable_images` are extensions). */
export const VISUAL_DEFAULTS = {
  detailed_analysis: false,
  generate_report: true,
  detect_hidden_damage: false,
  one_vehicle: false,
  skip_unusable_images: false,
} as const;
