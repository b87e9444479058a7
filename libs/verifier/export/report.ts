// What a verifier tells of an export.
import type { Finding } from './findings.ts';
import type { Trimmed } from './partition/completeness.ts';

export interface Report {
  /** Nothing was found wrong. */
  readonly isWhole: boolean;
  /** As the first line says, which no signature covers: what was asked for, and when. Null: there is no such line. */
  readonly workspace: string | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly at: number | null;
  /** Events that the file holds, and how many of them no checkpoint has signed yet. */
  readonly records: number;
  readonly unsigned: number;
  /** Records of which the file holds a hash only, each rightly. */
  readonly outside: number;
  readonly checkpoints: number;
  readonly partitions: number;
  /** `export`: nobody gave a key, so that the file was only compared with the keys that it names itself. */
  readonly keys: 'given' | 'export';
  readonly keyIds: readonly string[];
  /** Checkpoints kept outside: those that the file was compared with, and those of records that it does not reach. */
  readonly kept: { readonly compared: number; readonly beyond: number };
  readonly trimmed: readonly Trimmed[];
  /** At most 1,000; `found` counts all. */
  readonly findings: readonly Finding[];
  readonly found: number;
}
