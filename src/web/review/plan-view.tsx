import { placeLabels } from '../../report/plan/labels.ts';
import { drawViews, isPlaced, listPartMarks, listUnseenParts } from '../../report/plan/plan.ts';
import { describePlan, describeUnplaced } from '../../report/plan/plan-words.ts';
import { findVehicleOf, photoIndex, rows, select } from './state.ts';
import { findFigures } from './vehicle-strip.tsx';

/** Sizes of a label in units of the plan. */
const FONT_SIZE = 22;
const LABEL_SIZE = {
  height: FONT_SIZE * 1.45,
  measureWidth: (text: string) => text.length * FONT_SIZE * 0.58 + FONT_SIZE * 0.73,
};

/** Lists the damage of the photo's vehicle after decisions, without rejected, merged and undecided findings to check. */
function listCurrentDamages() {
  const here = rows.value.filter(
    ({ outcome, kind, mergedInto, vehicle }) =>
      !['rejected', 'merged'].includes(outcome) &&
      mergedInto === null &&
      !(kind === 'check' && outcome === 'undecided') &&
      vehicle === findVehicleOf(photoIndex.value) + 1,
  );
  return here.map(({ key, number, damage: { location, severity } }) => {
    const { part, uncertain } = location;
    return { key, number, severity, part, uncertain, toCheck: false };
  });
}

/** Renders the plan of the vehicle with its damage; clicking a part selects its first finding. */
export function CarPlan() {
  const damages = listCurrentDamages();
  const marks = listPartMarks(damages);
  const unseen = listUnseenParts(findFigures(findVehicleOf(photoIndex.value)));
  const unplaced = damages.filter((row) => !isPlaced(row));
  return (
    <>
      <div class="plan" role="img" aria-label={describePlan({ marks, unseen })}>
        {drawViews().map((view) => (
          <svg
            key={view.name}
            viewBox={`-2 -2 ${view.size.width + 4} ${view.size.height + 4}`}
            aria-hidden="true"
          >
            {view.shapes.map((shape, index) => {
              const mark = shape.part ? marks.get(shape.part) : undefined;
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the list of findings offers the same by keyboard
                <path
                  key={index}
                  class={mark ? `hit ${mark.severity}` : shape.kind}
                  transform={`matrix(${shape.matrix.join(' ')})`}
                  d={shape.path}
                  onClick={() => {
                    const row = damages.find((one) => isPlaced(one) && one.part === shape.part);
                    if (row) select(row.key);
                  }}
                />
              );
            })}
            {placeLabels(view, marks, LABEL_SIZE).map(({ text, x, y, width, height }) => (
              <g key={`${x},${y}`} class="label">
                <rect x={x} y={y} width={width} height={height} rx={5} />
                <text x={x + width / 2} y={y + FONT_SIZE * 1.09} font-size={FONT_SIZE} text-anchor="middle">
                  {text}
                </text>
              </g>
            ))}
          </svg>
        ))}
      </div>
      {unplaced.length === 0 ? null : (
        <p class="facts">{describeUnplaced(unplaced.map(({ number }) => number))}</p>
      )}
    </>
  );
}
