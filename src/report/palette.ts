/** Colors of all reports by role, on paper and on a light screen. */
export const COLOR = {
  ink: '#1b2430',
  soft: '#5a6675',
  faint: '#8a95a3',
  rule: '#d5dae1',
  band: '#f2f4f7',
  stripe: '#fafbfc',
  accent: '#123a63',
  white: '#ffffff',
} as const;
