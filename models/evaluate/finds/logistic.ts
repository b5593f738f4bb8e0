/** A fitted logistic regression over standardised values; weights and moments per value. */
export interface Logistic {
  readonly intercept: number;
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  readonly weights: readonly number[];
}

const STEPS = 50;
const SETTLED = 1e-8;

/**
 * Fits a logistic regression by Newton's method, with a ridge penalty of `penalty` / 2 times the squared weights (not
 * the intercept). `rows` [n][k] of finite numbers, `right` [n]. Deterministic.
 */
export function fitLogistic(
  rows: readonly (readonly number[])[],
  right: readonly boolean[],
  penalty: number,
): Logistic {
  const width = rows[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] as number));
  const means = columns.map((column) => sumValues(column) / column.length);
  const deviations = columns.map(
    (column, at) =>
      Math.sqrt(sumValues(column.map((value) => (value - (means[at] as number)) ** 2)) / column.length) +
      1e-6,
  );
  const inputs = rows.map((row) => [
    1,
    ...row.map((value, at) => (value - (means[at] as number)) / (deviations[at] as number)),
  ]);
  let weights = Array.from({ length: width + 1 }, () => 0);
  for (let step = 0; step < STEPS; step++) {
    const change = computeNewtonStep(inputs, right, weights, penalty);
    weights = weights.map((weight, at) => weight - (change[at] as number));
    if (Math.max(...change.map(Math.abs)) < SETTLED) break;
  }
  const [intercept = 0, ...rest] = weights;
  return { intercept, means, deviations, weights: rest };
}

function computeNewtonStep(
  inputs: readonly (readonly number[])[],
  right: readonly boolean[],
  weights: readonly number[],
  penalty: number,
): number[] {
  const size = weights.length;
  const gradient = weights.map((weight, at) => (at === 0 ? 0 : penalty * weight));
  const curvature = weights.map((_, i) => weights.map((__, j) => (i === j ? (i === 0 ? 1e-9 : penalty) : 0)));
  for (const [n, input] of inputs.entries()) {
    const score = sumValues(input.map((value, at) => value * (weights[at] as number)));
    const likely = 1 / (1 + Math.exp(-score));
    const error = likely - Number(right[n]);
    const spread = likely * (1 - likely);
    for (let i = 0; i < size; i++) {
      const value = input[i] as number;
      gradient[i] = (gradient[i] as number) + error * value;
      const row = curvature[i] as number[];
      for (let j = 0; j < size; j++) row[j] = (row[j] as number) + spread * value * (input[j] as number);
    }
  }
  return solve(curvature, gradient);
}

/** Solves a small linear system by elimination; the matrix is positive definite, so it needs no pivoting. */
function solve(matrix: readonly (readonly number[])[], target: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, target[at] as number]);
  const size = rows.length;
  for (let at = 0; at < size; at++) {
    const top = rows[at] as number[];
    for (let row = 0; row < size; row++) {
      if (row === at) continue;
      const other = rows[row] as number[];
      const factor = (other[at] as number) / (top[at] as number);
      for (let column = at; column <= size; column++)
        other[column] = (other[column] as number) - factor * (top[column] as number);
    }
  }
  return rows.map((row, at) => (row[size] as number) / (row[at] as number));
}

function sumValues(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
