// What a bench gives: figures with their goal, so that one table and one JSON file can hold them all.

export type EngineName = 'embedded' | 'distributed';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The bare limit measured in the same run, in the same unit; null: there is none. */
  readonly bound: number | null;
  /** value / bound. */
  readonly ratio: number | null;
  /** As the docs state it: '>= 0.5 of bound', '<= 2 ms'. */
  readonly goal: string | null;
}

/** What was asked for on the command line. */
export interface BenchOptions {
  /** How many events, where a bench can do with fewer than its goal names. */
  readonly size?: number;
}

export interface Bench {
  /** 'log.append': what `npm run bench -- NAME` picks it by. */
  readonly name: string;
  /** What `--engine` picks it by; by default the embedded one. */
  readonly engine?: EngineName;
  /** How often it is run; long ones carry their own mean. By default three times. */
  readonly runs?: number;
  /** One run; of several the harness takes the median of each figure by its ratio, or value without one. */
  run(options: BenchOptions): Promise<readonly Figure[]>;
}

/** One without a bare limit. */
export const figure = (name: string, value: number, unit: string, goal: string | null = null): Figure => ({
  name,
  value,
  unit,
  bound: null,
  ratio: null,
  goal,
});

/** 0 of no values. */
export function quantile(values: readonly number[], q: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * q))] ?? 0;
}

export const medianOf = (values: readonly number[]): number => quantile(values, 0.5);
