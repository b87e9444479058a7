// Compares the checkpoints that an auditor kept outside the service, by partition.
import { type ExportHeader, placeName, type SignedLine } from './file/format.ts';
import type { Findings } from './findings.ts';
import type { AuditorKeyring } from './keyring.ts';
import { type Kept, KeptCheckpoints } from './partition/kept-checkpoints.ts';
import { readCheckpoint } from './partition/signed-checkpoint.ts';

export class KeptOutside {
  readonly #findings: Findings;
  readonly #byPartition = new Map<string, (Kept & { readonly signed: SignedLine })[]>();

  constructor(kept: readonly SignedLine[], findings: Findings) {
    this.#findings = findings;
    for (const signed of kept) {
      const checkpoint = readCheckpoint(signed.line);
      if (checkpoint === undefined) {
        findings.add({ kind: 'checkpoint', message: 'a checkpoint that was kept outside is not valid' });
        continue;
      }
      const name = placeName(checkpoint);
      const known = this.#byPartition.get(name) ?? [];
      known.push({ checkpoint, signed, isCompared: false });
      this.#byPartition.set(name, known);
    }
  }

  of(name: string): KeptCheckpoints {
    return new KeptCheckpoints(this.#byPartition.get(name) ?? [], (checkpoint) => {
      const { count, time } = checkpoint;
      const when = new Date(time).toISOString();
      const message = `: history was rewritten: the checkpoint at ${count} that was kept outside, of ${when}, has another root`;
      this.#findings.at('rewritten', checkpoint, message);
    });
  }

  /** Reports checkpoints of untrusted keys, and those beyond the end of history. `newestOf`: signed records. */
  end({ at }: ExportHeader, keyring: AuditorKeyring, newestOf: (name: string) => number): void {
    for (const [name, all] of this.#byPartition) {
      for (const { checkpoint, signed } of all) {
        const { count, time } = checkpoint;
        const fault = keyring.faultOf(checkpoint, signed);
        if (fault !== undefined)
          this.#findings.at('signature', checkpoint, `: the checkpoint at ${count} that was kept outside ${fault}`);
        else if (time < at && count > newestOf(name))
          this.#findings.at(
            'rewritten',
            checkpoint,
            `: history was cut: ${count} records were signed, of which the export knows ${newestOf(name)}`,
          );
      }
    }
  }

  get counts(): { readonly compared: number; readonly beyond: number } {
    const all = [...this.#byPartition.values()].flat();
    const compared = all.filter(({ isCompared }) => isCompared).length;
    return { compared, beyond: all.length - compared };
  }
}
