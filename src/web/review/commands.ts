import {
  changeCurrent,
  completeAllPhotos,
  completePhoto,
  decideOnOne,
  groupsFound,
  judgeCurrent,
  judgePhoto,
  mergeCurrent,
  selectNeighbor,
  selectNextUndecided,
  stepPhoto,
  TYPE_CHOICES,
} from './actions.ts';
import { redo, undo } from './decide.ts';
import { toggleOneVehicle } from './decisions.ts';
import { beginDrawing, editBox, requireBox } from './drawing.ts';
import type { Command } from './keys.ts';
import { stage } from './stage.ts';
import {
  closeDialog,
  current,
  type DialogName,
  decisions,
  dialog,
  mode,
  notice,
  resetMode,
  showsToCheck,
} from './state.ts';

const openDialog = (name: DialogName) => {
  dialog.value = name;
};

export const COMMANDS: Readonly<Record<Command, () => unknown>> = {
  accept: () => (mode.value.kind === 'merge' ? mergeCurrent() : judgeCurrent('accept')),
  acceptPhoto: () => judgePhoto('accept'),
  reject: () => judgeCurrent('reject'),
  rejectPhoto: () => judgePhoto('reject'),
  minor: () => changeCurrent({ severity: 'minor' }),
  moderate: () => changeCurrent({ severity: 'moderate' }),
  severe: () => changeCurrent({ severity: 'severe' }),
  critical: () => changeCurrent({ severity: 'critical' }),
  type: () => {
    if (!current.value) return;
    mode.value = { kind: 'type' };
    notice.value = `Type: press 1 to ${TYPE_CHOICES.length}.`;
  },
  part: () => current.value && openDialog('part'),
  draw: beginDrawing,
  box: editBox,
  merge: mergeCurrent,
  nextFinding: () => selectNeighbor(1),
  previousFinding: () => selectNeighbor(-1),
  nextPhoto: () => stepPhoto(1),
  previousPhoto: () => stepPhoto(-1),
  nextUndecided: () => selectNextUndecided(null),
  nothingMore: completePhoto,
  allLookedAt: completeAllPhotos,
  toCheck: () => {
    showsToCheck.value = !showsToCheck.value;
  },
  vehicle: () => openDialog('vehicle'),
  oneVehicle: () => {
    closeDialog();
    decideOnOne(toggleOneVehicle(decisions.value, groupsFound()));
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
    resetMode();
    notice.value = '';
  },
};
