// Types of benches and of their figures, which one table and one JSON file collect.

export type EngineName = 'embedded' | 'distributed';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The bare side's value in the same run and unit; null: there is none. */
  readonly bound: number | null;
  /** value / bound. */
  readonly ratio: number | null;
  /** The goal as in the docs: '>= 0.5 of bound', '<= 2 ms'. */
  readonly goal: string | null;
}

/** The options of the command line. */
export interface BenchOptions {
  /** How many events, for benches that can run with fewer than their goal names. */
  readonly size?: number;
}

export interface Bench {
  /** The NAME of `npm run bench -- NAME`, such as 'log.append'. */
  readonly name: string;
  /** The engine, for `--engine`; by default the embedded one. */
  readonly engine?: EngineName;
  /** How often it is run, by default three times. Long benches need fewer runs, because they average in themselves. */
  readonly runs?: number;
  /** One run; of several, the median of each figure is taken, by its ratio, or by its value without one. */
  run(options: BenchOptions): Promise<readonly Figure[]>;
}

/** A figure without a bare side. */
export const figure = (name: string, value: number, unit: string, goal: string | null = null): Figure => ({
  name,
  value,
  unit,
  bound: null,
  ratio: null,
  goal,
});

/** 0 if there are no values. */
export function quantile(values: readonly number[], q: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * q))] ?? 0;
}

export const medianOf = (values: readonly number[]): number => quantile(values, 0.5);
