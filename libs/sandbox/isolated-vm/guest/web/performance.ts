// performance: the time since the isolate's script ran, and an empty timeline.
import { dateNow } from '../core/primordials.ts';

const startedAt = dateNow();

export const performance = {
  now: (): number => dateNow() - startedAt,
  timeOrigin: startedAt,
  mark: (): void => {},
  measure: (): void => {},
  clearMarks: (): void => {},
  clearMeasures: (): void => {},
  getEntries: (): readonly object[] => [],
  getEntriesByName: (): readonly object[] => [],
  getEntriesByType: (): readonly object[] => [],
  eventLoopUtilization: (): object => ({ idle: 0, active: 0, utilization: 0 }),
  timerify: <T>(act: T): T => act,
  toJSON: (): object => ({ timeOrigin: startedAt }),
};
