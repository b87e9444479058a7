// The cursor with which an interrupted export continues: the position on topic `checkpoints`, and what the file holds.
import type { Millis } from '../../../../../domain/message.ts';
import { cursorFacts, cursorText } from '../../../../../verifier/export/file/cursor.ts';

export interface ExportPosition {
  readonly from: Millis;
  readonly to: Millis;
  /** When the export began. */
  readonly at: Millis;
  /** The first offset of `checkpoints` that has not been read. */
  readonly next: number;
}

export interface ExportCursor extends ExportPosition {
  /** The digest of the lines since the previous cursor. */
  readonly digest: string;
  readonly records: number;
}

export const exportCursor = ({ digest, records, from, to, at, next }: ExportCursor): string =>
  cursorText({ digest, records, from, to, at, next });

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Undefined for text that `exportCursor` has not made. */
export function readExportCursor(text: string): ExportCursor | undefined {
  const facts = cursorFacts(text);
  if (facts === undefined) return undefined;
  const { digest, records, from, to, at, next } = facts;
  if (!isCount(records) || !isCount(from) || !isCount(to) || !isCount(at) || !isCount(next)) return undefined;
  const cursor = { digest, records, from, to, at, next };
  return exportCursor(cursor) === text ? cursor : undefined;
}
