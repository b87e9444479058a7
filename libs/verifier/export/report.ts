// The report on an export.
import type { Finding } from './findings.ts';
import type { Trimmed } from './partition/completeness.ts';

export interface Report {
  /** Nothing was found wrong. */
  readonly isWhole: boolean;
  /** From the first line, which no signature covers: what was asked for, and when. Null: there is no such line. */
  readonly workspace: string | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly at: number | null;
  /** Events that the file holds, and how many of them no checkpoint has signed yet. */
  readonly records: number;
  readonly unsigned: number;
  /** Records of which the file rightly holds only a hash. */
  readonly outside: number;
  readonly checkpoints: number;
  readonly partitions: number;
  /** `export`: no key was supplied, so that the file was only checked with the keys that it names itself. */
  readonly keys: 'given' | 'export';
  readonly keyIds: readonly string[];
  /** Checkpoints kept outside: the number that was compared with the file, and the number beyond the file's records. */
  readonly kept: { readonly compared: number; readonly beyond: number };
  readonly trimmed: readonly Trimmed[];
  /** At most 1,000; `found` counts all. */
  readonly findings: readonly Finding[];
  readonly found: number;
}
