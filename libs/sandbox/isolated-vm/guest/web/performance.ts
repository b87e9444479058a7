// performance: the time since the isolate's script ran, and a timeline of the component's marks and measures.
import { dateNow } from '../core/primordials.ts';

const startedAt = dateNow();
const now = (): number => dateNow() - startedAt;

/** With more entries the oldest are dropped. */
const entriesMax = 1_000;

export class PerformanceEntry {
  readonly name: string;
  readonly entryType: string;
  readonly startTime: number;
  readonly duration: number;
  readonly detail: unknown;

  constructor(name: unknown, entryType: string, [startTime, duration]: readonly [number, number], detail: unknown) {
    this.name = String(name);
    this.entryType = entryType;
    this.startTime = startTime;
    this.duration = duration;
    this.detail = detail ?? null;
  }
  toJSON(): object {
    return { ...this };
  }
}

interface MarkOptions {
  readonly startTime?: number;
  readonly detail?: unknown;
}

interface MeasureOptions {
  readonly start?: string | number;
  readonly end?: string | number;
  readonly duration?: number;
  readonly detail?: unknown;
}

let entries: PerformanceEntry[] = [];

function add(entry: PerformanceEntry): PerformanceEntry {
  entries.push(entry);
  if (entries.length > entriesMax) entries.shift();
  return entry;
}

const mark = (name: unknown, { startTime = now(), detail }: MarkOptions = {}): PerformanceEntry =>
  add(new PerformanceEntry(name, 'mark', [startTime, 0], detail));

function timeOf(markOrTime: string | number | undefined, fallback: number): number {
  if (markOrTime === undefined) return fallback;
  if (typeof markOrTime === 'number') return markOrTime;
  const found = entries.findLast(({ name, entryType }) => entryType === 'mark' && name === markOrTime);
  if (found === undefined)
    throw new DOMException(`The "${markOrTime}" performance mark has not been set`, 'SyntaxError');
  return found.startTime;
}

function measure(name: unknown, from?: string | MeasureOptions, to?: string): PerformanceEntry {
  const { start, end, duration, detail } = typeof from === 'object' ? from : { start: from, end: to };
  const first = timeOf(start, end !== undefined && duration !== undefined ? timeOf(end, now()) - duration : 0);
  const last = end === undefined && duration !== undefined ? first + duration : timeOf(end, now());
  return add(new PerformanceEntry(name, 'measure', [first, last - first], detail));
}

const clear = (type: string, name: unknown): void => {
  entries = entries.filter((entry) => entry.entryType !== type || (name !== undefined && entry.name !== String(name)));
};

export const performance = {
  now,
  timeOrigin: startedAt,
  mark,
  measure,
  clearMarks: (name?: unknown): void => clear('mark', name),
  clearMeasures: (name?: unknown): void => clear('measure', name),
  getEntries: (): readonly PerformanceEntry[] => [...entries],
  getEntriesByName: (name: unknown, type?: string): readonly PerformanceEntry[] =>
    entries.filter((entry) => entry.name === String(name) && (type === undefined || entry.entryType === type)),
  getEntriesByType: (type: unknown): readonly PerformanceEntry[] => entries.filter((entry) => entry.entryType === type),
  eventLoopUtilization: (): object => ({ idle: 0, active: 0, utilization: 0 }),
  timerify: <T>(act: T): T => act,
  toJSON: (): object => ({ timeOrigin: startedAt }),
};

/** The isolate reports no measurements, so an observer is never called. */
export class PerformanceObserver {
  static readonly supportedEntryTypes: readonly string[] = [];
  observe(): void {}
  disconnect(): void {}
  takeRecords(): readonly object[] {
    return [];
  }
}
