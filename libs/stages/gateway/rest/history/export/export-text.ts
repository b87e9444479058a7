// Collects the text of an export: lines, with a digest of them at each cursor and at the end.
import { createHash } from 'node:crypto';
import { eventPrefix, outsideLine, type PartitionId } from '../../../../../verifier/export/file/format.ts';
import type { Leaf } from '../../../../../verifier/leaf.ts';
import { exportCursor, type ExportPosition } from './export-cursor.ts';

export class ExportText {
  #digest = createHash('sha256');
  #records: number;
  #text = '';

  /** `resumeFrom`: the cursor from which the export continues, which is the file's last line. */
  constructor(resumeFrom?: { readonly cursor: string; readonly records: number }) {
    this.#records = resumeFrom?.records ?? 0;
    if (resumeFrom !== undefined) this.#digest.update(cursorLine(resumeFrom.cursor));
  }

  addLine(value: object): void {
    this.#add(`${JSON.stringify(value)}\n`);
  }

  addEvent(partitionId: PartitionId, index: number, line: string): void {
    this.#records += 1;
    this.#add(`${eventPrefix(partitionId, index)}${line}}\n`);
  }

  addOutside(partitionId: PartitionId, index: number, leaf: Leaf): void {
    this.#add(`${outsideLine(partitionId, index, leaf)}\n`);
  }

  addCursor(position: ExportPosition): void {
    const cursor = exportCursor({ ...position, digest: this.#digest.digest('hex'), records: this.#records });
    this.#digest = createHash('sha256');
    this.#add(cursorLine(cursor));
  }

  addEnd(): void {
    const digest = this.#digest.copy().digest('hex');
    this.#add(`${JSON.stringify({ records: this.#records, digest })}\n`);
  }

  /** The text added since the last call. */
  takeText(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  #add(line: string): void {
    this.#digest.update(line);
    this.#text += line;
  }
}

const cursorLine = (cursor: string): string => `${JSON.stringify({ cursor })}\n`;
