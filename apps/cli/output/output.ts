// The output of a command: results to stdout, everything else to stderr, so that a pipe gets only results. Text cannot
// control the terminal, apart from our own colours.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { plainJson, plainLine, plainPainted, plainText } from './plain-text.ts';
import { styleFor } from './style.ts';
import type { Style } from './style.ts';
import { table } from './layout/table.ts';
import type { Column } from './layout/table.ts';

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
  /** The style of stdout. */
  readonly style: Style;
  /** The style of stderr. */
  readonly noteStyle: Style;
  readonly #stdout: Terminal;
  readonly #stderr: Terminal;
  readonly #plain: (text: string) => string;
  readonly #plainNote: (text: string) => string;

  constructor({ stdout, stderr, json, color }: OutputOptions) {
    this.json = json;
    this.isTerminal = stdout.isTTY === true;
    const [isPainted, isNotePainted] = [color && this.isTerminal, color && stderr.isTTY === true];
    this.style = styleFor(isPainted);
    this.noteStyle = styleFor(isNotePainted);
    this.#plain = isPainted ? plainPainted : plainText;
    this.#plainNote = isNotePainted ? plainPainted : plainText;
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  printLine(text: string): void {
    this.#stdout.write(`${this.#plain(text)}\n`);
  }

  /** Foreign content: its bytes unchanged, or at a terminal as plain text. */
  printContent(bytes: Uint8Array): void {
    if (this.isTerminal) this.printLine(plainText(new TextDecoder().decode(bytes)));
    else this.#stdout.write(bytes);
  }

  /** One JSON document; indented at a terminal. */
  printDocument(value: unknown): void {
    this.printLine(plainJson(value, this.isTerminal ? 2 : 0));
  }

  /** A record of a stream: one line of JSON, or what `format` returns. Resolves once stdout takes more: waits for a slow reader. */
  async printRecord(value: unknown, format: () => string): Promise<void> {
    const text = this.json ? plainJson(value) : format();
    if (!this.#stdout.write(`${this.#plain(text)}\n`)) await once(this.#stdout, 'drain');
  }

  /** A record: as a JSON document, or as `format` returns it. */
  printResult(value: unknown, format: () => string): void {
    if (this.json) this.printDocument(value);
    else this.printLine(format());
  }

  /** Records: as a JSON document, or as a table. */
  printTable<T>(records: readonly T[], columns: readonly Column<T>[]): void {
    if (this.json) return this.printDocument(records);
    // A terminal that does not know its width says 0.
    const lineChars = this.#stdout.columns || undefined;
    if (records.length > 0) this.printLine(table(records, columns, { lineChars, title: this.style.faint }));
  }

  /** A message on stderr. */
  note(text: string): void {
    this.#stderr.write(`${this.#plainNote(text)}\n`);
  }

  /** One line on stderr that the next call replaces; empty: removes it. */
  showProgress(text: string): void {
    this.#stderr.write(`\r\u001b[K${plainLine(text)}`);
  }

  warn(text: string): void {
    this.note(`${this.noteStyle.warning('warning:')} ${text}`);
  }

  /** With --json: why a command failed, as one line for programs. */
  printFailure(value: object): void {
    this.note(plainJson(value));
  }

  printError(text: string): void {
    this.note(`${this.noteStyle.bad('error:')} ${text}`);
  }
}
