// Compares the checkpoints that an auditor kept outside the service, by partition.
import { type ExportHeader, partitionName, type SignedLine } from './file/format.ts';
import type { Findings } from './findings.ts';
import type { AuditorKeyring } from './keyring.ts';
import { type KeptCheckpoint, KeptCheckpoints } from './partition/kept-checkpoints.ts';
import { readCheckpoint } from './partition/signed-checkpoint.ts';

export class KeptCheckpointIndex {
  readonly #findings: Findings;
  readonly #byPartition = new Map<string, (KeptCheckpoint & { readonly signed: SignedLine })[]>();

  constructor(keptLines: readonly SignedLine[], findings: Findings) {
    this.#findings = findings;
    for (const signed of keptLines) {
      const checkpoint = readCheckpoint(signed.line);
      if (checkpoint === undefined) {
        findings.add({ kind: 'checkpoint', message: 'a checkpoint that was kept outside is not valid' });
        continue;
      }
      const name = partitionName(checkpoint);
      const known = this.#byPartition.get(name) ?? [];
      known.push({ checkpoint, signed, isCompared: false });
      this.#byPartition.set(name, known);
    }
  }

  of(name: string): KeptCheckpoints {
    return new KeptCheckpoints(this.#byPartition.get(name) ?? [], (checkpoint) => {
      const { count, time } = checkpoint;
      const signedAt = new Date(time).toISOString();
      const message = `: history was rewritten: the checkpoint at ${count} that was kept outside, of ${signedAt}, has another root`;
      this.#findings.addAt('rewritten', checkpoint, message);
    });
  }

  /** Reports checkpoints of untrusted keys, and those beyond the end of history. `signedCountOf`: signed records. */
  end({ at }: ExportHeader, keyring: AuditorKeyring, signedCountOf: (name: string) => number): void {
    for (const [name, checkpoints] of this.#byPartition) {
      for (const { checkpoint, signed } of checkpoints) {
        const { count, time } = checkpoint;
        const fault = keyring.faultOf(checkpoint, signed);
        if (fault !== undefined)
          this.#findings.addAt('signature', checkpoint, `: the checkpoint at ${count} that was kept outside ${fault}`);
        else if (time < at && count > signedCountOf(name))
          this.#findings.addAt(
            'rewritten',
            checkpoint,
            `: history was cut: ${count} records were signed, of which the export knows ${signedCountOf(name)}`,
          );
      }
    }
  }

  get counts(): { readonly compared: number; readonly beyond: number } {
    const checkpoints = [...this.#byPartition.values()].flat();
    const compared = checkpoints.filter(({ isCompared }) => isCompared).length;
    return { compared, beyond: checkpoints.length - compared };
  }
}
