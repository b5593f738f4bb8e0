import { DAMAGE_TYPES, type DamageType } from '../../../src/domain/damage.ts';
import type { Correction, CorrectionFate, VehicleCorrections } from './read-corrections.ts';

export interface CorrectionCounts {
  /** Findings with a decision. */
  readonly decided: number;
  readonly accepted: number;
  /** Findings with a corrected box. */
  readonly moved: number;
  /** Findings with a corrected type. */
  readonly retyped: number;
  /** Findings with a corrected part or severity. */
  readonly changed: number;
  /** Findings merged into another damage. */
  readonly merged: number;
  readonly rejected: number;
  /** Missed damages. */
  readonly added: number;
  /** Precision of the decided findings, null without any. */
  readonly right: number | null;
}

export interface CorrectionsScore {
  readonly vehicles: number;
  readonly photos: number;
  readonly completePhotos: number;
  readonly classes: readonly ({ readonly type: DamageType } & CorrectionCounts)[];
  readonly all: CorrectionCounts;
  readonly certain: CorrectionCounts;
  readonly toCheck: CorrectionCounts;
  /** Share of the damages in complete photos missed by the inspection; null without any. */
  readonly missed: number | null;
}

/** Counts review decisions by class and by listing level. */
export function scoreCorrections(vehicles: readonly VehicleCorrections[]): CorrectionsScore {
  const all = vehicles.flatMap(({ corrections }) => corrections);
  const findings = all.filter(({ fate }) => fate !== 'added');
  const sum = (value: (one: VehicleCorrections) => number) =>
    vehicles.reduce((total, one) => total + value(one), 0);
  const damages = sum(({ completeDamages }) => completeDamages);
  return {
    vehicles: vehicles.length,
    photos: sum(({ photos }) => photos),
    completePhotos: sum(({ completePhotos }) => completePhotos),
    classes: DAMAGE_TYPES.map((type) => ({
      type,
      ...countCorrections(all.filter((one) => one.type === type)),
    })).filter(({ decided, added }) => decided + added > 0),
    all: countCorrections(all),
    certain: countCorrections(findings.filter(({ toCheck }) => !toCheck)),
    toCheck: countCorrections(findings.filter(({ toCheck }) => toCheck)),
    missed: damages > 0 ? sum(({ completeMissed }) => completeMissed) / damages : null,
  };
}

function countCorrections(list: readonly Correction[]): CorrectionCounts {
  const of = (fate: CorrectionFate) => list.filter((one) => one.fate === fate).length;
  const decided = list.length - of('added');
  return {
    decided,
    accepted: of('accepted'),
    moved: of('moved'),
    retyped: of('retyped'),
    changed: of('changed'),
    merged: of('merged'),
    rejected: of('rejected'),
    added: of('added'),
    right: decided > 0 ? (decided - of('rejected')) / decided : null,
  };
}
