// Where a command writes: results to stdout, everything else to stderr, so that a pipe gets the results alone.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { plainJson } from './plain-text.ts';
import { styleFor } from './style.ts';
import type { Style } from './style.ts';
import { table } from './table.ts';
import type { Column } from './table.ts';

export interface Terminal extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface OutputOptions {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  /** Asked for by `--json`. */
  readonly json: boolean;
  readonly color: boolean;
}

export class Output {
  /** Results are JSON: one document, or one a line for a stream. */
  readonly json: boolean;
  readonly isTerminal: boolean;
  /** Of what goes to stdout. */
  readonly style: Style;
  /** Of what goes to stderr. */
  readonly noteStyle: Style;
  readonly #stdout: Terminal;
  readonly #stderr: Terminal;

  constructor({ stdout, stderr, json, color }: OutputOptions) {
    this.json = json;
    this.isTerminal = stdout.isTTY === true;
    this.style = styleFor(color && this.isTerminal);
    this.noteStyle = styleFor(color && stderr.isTTY === true);
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  line(text: string): void {
    this.#stdout.write(`${text}\n`);
  }

  /** One JSON document; at a terminal for people to read. */
  document(value: unknown): void {
    this.line(plainJson(value, this.isTerminal ? 2 : 0));
  }

  /** A record of a stream: as one line of JSON, or as `shown`. Resolves when there is room for another: a slow reader is waited for. */
  async streamed(value: unknown, shown: () => string): Promise<void> {
    const text = this.json ? plainJson(value) : shown();
    if (!this.#stdout.write(`${text}\n`)) await once(this.#stdout, 'drain');
  }

  /** A record: as a JSON document, or as `shown`. */
  result(value: unknown, shown: () => string): void {
    if (this.json) this.document(value);
    else this.line(shown());
  }

  /** Records: as a JSON document, or as a table. */
  table<T>(records: readonly T[], columns: readonly Column<T>[]): void {
    if (this.json) return this.document(records);
    // A terminal that does not know its width says 0.
    const lineChars = this.#stdout.columns || undefined;
    if (records.length > 0) this.line(table(records, columns, { lineChars, title: this.style.faint }));
  }

  /** What happens meanwhile. */
  note(text: string): void {
    this.#stderr.write(`${text}\n`);
  }

  /** One line on stderr that the next call replaces; empty: none is left. */
  progress(text: string): void {
    this.#stderr.write(`\r\u001b[K${text}`);
  }

  warn(text: string): void {
    this.note(`${this.noteStyle.warning('warning:')} ${text}`);
  }

  /** With --json: why a command failed, as one line for programs. */
  failure(value: object): void {
    this.note(plainJson(value));
  }

  error(text: string): void {
    this.note(`${this.noteStyle.bad('error:')} ${text}`);
  }
}

/** `name: value` lines; what is null is left out. */
export function fields(rows: readonly (readonly [string, string | number | null | undefined])[], style: Style): string {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined);
  return shown.map(([name, value]) => `${style.faint(`${name}:`)} ${value}`).join('\n');
}
