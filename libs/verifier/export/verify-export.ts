// Verifies an export of history, without a server: line by line, whatever its length.
import { createHash, type Hash } from 'node:crypto';
import type { SignedLine } from './file/format.ts';
import { type ByteLine, eachLine } from './file/byte-lines.ts';
import { cursorFacts } from './file/cursor.ts';
import { type ParsedLine, parseLine } from './file/parse-line.ts';
import { ExportCheck } from './export-check.ts';
import { AuditorKeyring } from './keyring.ts';
import type { Report } from './report.ts';

export interface VerifyOptions {
  /** Public keys that the auditor trusts (base64). Without any, those that the export names are trusted. */
  readonly keys?: readonly string[];
  /** Checkpoints that were kept outside. */
  readonly checkpoints?: readonly SignedLine[];
}

const newline = Buffer.from('\n');

/** Throws only for an unusable key: everything that is wrong with the export is in the report. */
export async function verifyExport(chunks: AsyncIterable<Uint8Array>, options: VerifyOptions = {}): Promise<Report> {
  const keyring = new AuditorKeyring(options.keys);
  const check = new ExportCheck(keyring, {
    hasSuppliedKeys: (options.keys ?? []).length > 0,
    keptCheckpoints: options.checkpoints ?? [],
  });
  const reader = new ExportReader(check);
  await eachLine(chunks, (line) => reader.read(line));
  reader.end();
  return check.report();
}

/** Checks what concerns the whole file: its order, its digests, its end. */
class ExportReader {
  readonly #check: ExportCheck;
  #digest: Hash = createHash('sha256');
  #hasEnded = false;
  #lines = 0;

  constructor(check: ExportCheck) {
    this.#check = check;
  }

  read(line: ByteLine): void {
    this.#lines = line.number;
    if (!line.isEnded) this.#check.addFileFinding('the last line is cut off', line.number);
    if (this.#hasEnded) {
      this.#hasEnded = false;
      this.#check.addFileFinding('there is something after the end', line.number);
    }
    const parsed = parseLine(line.bytes);
    if (line.number === 1 && parsed.kind !== 'header')
      this.#check.addFileFinding('the first line is not that of an export: is this the right file?', 1);
    if (parsed.kind === 'cursor') this.#checkCursor(parsed.cursor.cursor, line.number);
    else if (parsed.kind === 'end') this.#checkEnd(parsed, line.number);
    else this.#check.checkLine(parsed, line.number);
    this.#digest.update(line.bytes).update(newline);
  }

  #checkCursor(cursor: string, line: number): void {
    const facts = cursorFacts(cursor);
    const digest = this.#digest.digest('hex');
    if (facts?.digest !== digest)
      this.#check.addFileFinding('a line since the last cursor was changed, dropped or added', line);
    else if (facts.records !== this.#check.recordCount)
      this.#check.addFileFinding(`${facts.records} events should be here so far`, line);
    this.#digest = createHash('sha256');
  }

  #checkEnd({ end }: Extract<ParsedLine, { readonly kind: 'end' }>, line: number): void {
    this.#hasEnded = true;
    if (end.digest !== this.#digest.digest('hex'))
      this.#check.addFileFinding('a line since the last cursor was changed, dropped or added', line);
    if (end.records !== this.#check.recordCount)
      this.#check.addFileFinding(`the export held ${end.records} events, ${this.#check.recordCount} are here`, line);
    this.#digest = createHash('sha256');
  }

  end(): void {
    if (!this.#hasEnded) this.#check.addFileFinding('the export was cut off: its end is missing', this.#lines);
    this.#check.end();
  }
}
