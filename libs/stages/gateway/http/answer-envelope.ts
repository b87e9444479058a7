// The envelope of every success, and the fields that the caller asked for.
import type { PageInfo } from './pages/page-info.dto.ts';
import type { AnyRequestDto } from './input/any-request.dto.ts';

export interface RecordAnswer<T> {
  readonly data: T;
}

export interface PageAnswer<T> {
  readonly page_info: PageInfo;
  readonly data: readonly T[];
}

/** The record with only the fields that `include` and `exclude` select; unknown names are ignored. */
export function selectFields<T extends object>(record: T, { include, exclude }: AnyRequestDto): T {
  if (!include && !exclude) return record;
  const included = include ? new Set(names(include)) : undefined;
  const excluded = new Set(names(exclude ?? ''));
  const entries = Object.entries(record).filter(
    ([name]) => (included === undefined || included.has(name)) && !excluded.has(name),
  );
  return Object.fromEntries(entries) as T;
}

const names = (list: string): string[] => list.split(',').map((name) => name.trim());
