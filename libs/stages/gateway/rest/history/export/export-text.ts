// Collects the text of an export: lines, with a digest of them at each cursor and at the end.
import { createHash } from 'node:crypto';
import { eventPrefix, outsideLine, type Place } from '../../../../../verifier/export/file/format.ts';
import type { Leaf } from '../../../../../verifier/leaf.ts';
import { exportCursor, type ExportPosition } from './export-cursor.ts';

export class ExportText {
  #digest = createHash('sha256');
  #records: number;
  #text = '';

  /** `begun`: the cursor from which the export continues, which is the file's last line. */
  constructor(begun?: { readonly cursor: string; readonly records: number }) {
    this.#records = begun?.records ?? 0;
    if (begun !== undefined) this.#digest.update(cursorLine(begun.cursor));
  }

  line(value: object): void {
    this.#add(`${JSON.stringify(value)}\n`);
  }

  event(place: Place, index: number, line: string): void {
    this.#records += 1;
    this.#add(`${eventPrefix(place, index)}${line}}\n`);
  }

  outside(place: Place, index: number, leaf: Leaf): void {
    this.#add(`${outsideLine(place, index, leaf)}\n`);
  }

  cursor(position: ExportPosition): void {
    const cursor = exportCursor({ ...position, digest: this.#digest.digest('hex'), records: this.#records });
    this.#digest = createHash('sha256');
    this.#add(cursorLine(cursor));
  }

  end(): void {
    const digest = this.#digest.copy().digest('hex');
    this.#add(`${JSON.stringify({ records: this.#records, digest })}\n`);
  }

  /** The text added since the last call. */
  take(): string {
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
