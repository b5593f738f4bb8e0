import * as actions from './actions.ts';
import { redo, undo } from './decide.ts';
import { toggleOneVehicle } from './decisions.ts';
import { beginDrawing, editBox, requireBox } from './drawing.ts';
import type { Command } from './keys.ts';
import { stage } from './stage.ts';
import * as state from './state.ts';

const openDialog = (name: state.DialogName) => {
  state.dialog.value = name;
};

export const COMMANDS: Readonly<Record<Command, () => unknown>> = {
  accept: () => (state.mode.value.kind === 'merge' ? actions.mergeCurrent() : actions.judgeCurrent('accept')),
  acceptPhoto: () => actions.judgePhoto('accept'),
  reject: () => actions.judgeCurrent('reject'),
  rejectPhoto: () => actions.judgePhoto('reject'),
  minor: () => actions.changeCurrent({ severity: 'minor' }),
  moderate: () => actions.changeCurrent({ severity: 'moderate' }),
  severe: () => actions.changeCurrent({ severity: 'severe' }),
  critical: () => actions.changeCurrent({ severity: 'critical' }),
  type: () => {
    if (!state.current.value) return;
    state.mode.value = { kind: 'type' };
    state.notice.value = `Type: press 1 to ${actions.TYPE_CHOICES.length}.`;
  },
  part: () => state.current.value && openDialog('part'),
  draw: beginDrawing,
  box: editBox,
  merge: actions.mergeCurrent,
  nextFinding: () => actions.selectNeighbor(1),
  previousFinding: () => actions.selectNeighbor(-1),
  nextPhoto: () => actions.stepPhoto(1),
  previousPhoto: () => actions.stepPhoto(-1),
  nextUndecided: () => actions.selectNextUndecided(null),
  nothingMore: actions.completePhoto,
  allLookedAt: actions.completeAllPhotos,
  toCheck: () => {
    state.showsToCheck.value = !state.showsToCheck.value;
  },
  vehicle: () => openDialog('vehicle'),
  oneVehicle: () => {
    state.closeDialog();
    actions.decideOnOne(toggleOneVehicle(state.decisions.value, state.foundGroups.value));
  },
  zoomIn: () => stage.zoomBy(1.5),
  zoomOut: () => stage.zoomBy(1 / 1.5),
  fit: () => stage.showAll(),
  zoomToFinding: () => {
    const box = requireBox();
    if (box) stage.zoomToBox(box);
  },
  repair: () => openDialog('repair'),
  undo,
  redo,
  export: () => openDialog('export'),
  finish: () => openDialog('finish'),
  keys: () => openDialog('keys'),
  leave: () => {
    state.resetMode();
    state.notice.value = '';
  },
};
