/** What a person fills in by hand: the boxes to tick and the lines to write on, in reading order. */
export const DECISION = {
  title: 'Decision',
  boxes: ['Repair as estimated', 'Repair with changes', 'Total loss', 'More photos needed', 'Rejected'],
  lines: ['Remarks', 'Name', 'Date', 'Signature'],
} as const;
