import type { ReportInput } from './input.ts';

/** The paragraphs on method and limits that every report carries; only what applies to the input is said. */
export function methodParagraphs({ inspection, assessment }: ReportInput): readonly string[] {
  return [
    ...(inspection
      ? [
          'Every photo was read on this machine, checked for sharpness, exposure and size, and searched for damage by a neural network that draws a box around what it sees; a second network says which part of the vehicle each pixel belongs to. The part of a damage follows from the overlap of the two, its severity from type, size and position by fixed rules, and the same damage in several photos is counted once.',
          'The figure "sure" is a calibrated probability: of all findings said at 80 %, about 80 % are right. Findings below the limit of the model card, and findings that touch no part of the vehicle, are left out and counted.',
          `Left out in this inspection: ${inspection.data.results?.dropped_detections.below_confidence ?? 0} below the confidence limit, ${inspection.data.results?.dropped_detections.not_on_vehicle ?? 0} not on the vehicle.`,
          'Sizes come from a known reference in the photo and carry their uncertainty (half-width of the 80 % interval); a depth from one photo is an estimate. Reflections, dirt, shadows and seams can look like damage, and damage that no photo shows cannot be found. Nothing under the surface was examined.',
        ]
      : []),
    ...(assessment
      ? [
          'The estimate follows a table of parts, hours and rates with a source per row. Refinish time counts overlap of neighbouring panels and caps clear coat over the whole vehicle, so that the estimate is less than the sum of single repairs.',
        ]
      : []),
    'Costs are regional averages; actual costs may differ by about 20 % either way. This report supports the judgement of a qualified appraiser and does not replace it.',
  ];
}
