// Passes each line of an export to the check of its partition, and checks what concerns the whole file.
import { workspaceHash } from './file/format.ts';
import type { CheckpointLine, ExportHeader, OutsideLine, PartitionId, SignedLine, StateLine } from './file/format.ts';
import { partitionName } from './file/format.ts';
import type { EventFacts } from './file/event-facts.ts';
import type { ParsedLine } from './file/parse-line.ts';
import { Findings } from './findings.ts';
import type { AuditorKeyring } from './keyring.ts';
import { KeptCheckpointIndex } from './kept-checkpoint-index.ts';
import { hashOfLeaf } from '../leaf.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { checkCompleteness, type Trimmed } from './partition/completeness.ts';
import { PartitionCheck } from './partition/partition-check.ts';
import type { Report } from './report.ts';

/** More than any service has; the limit keeps a file from filling the memory with names. */
const partitionsMax = 200_000;

export interface TrustOptions {
  readonly hasSuppliedKeys: boolean;
  readonly keptCheckpoints: readonly SignedLine[];
}

interface FollowedPartition {
  readonly check: PartitionCheck;
  state: StateLine | undefined;
}

export class ExportCheck {
  readonly #findings = new Findings();
  readonly #keyring: AuditorKeyring;
  readonly #hasSuppliedKeys: boolean;
  readonly #keptCheckpoints: KeptCheckpointIndex;
  readonly #partitions = new Map<string, FollowedPartition>();
  readonly #trimmed: Trimmed[] = [];
  #header: ExportHeader | undefined;
  #ownHash = '';
  #current: FollowedPartition | undefined;
  #recordCount = 0;
  #outsideCount = 0;
  #unsignedCount = 0;
  #checkpointCount = 0;

  constructor(keyring: AuditorKeyring, { hasSuppliedKeys, keptCheckpoints }: TrustOptions) {
    this.#keyring = keyring;
    this.#hasSuppliedKeys = hasSuppliedKeys;
    this.#keptCheckpoints = new KeptCheckpointIndex(keptCheckpoints, this.#findings);
  }

  get recordCount(): number {
    return this.#recordCount;
  }

  /** Reports a finding about the file itself, not about history. */
  addFileFinding(message: string, line: number): void {
    this.#findings.add({ kind: 'file', message, line });
  }

  checkLine(parsed: ParsedLine, line: number): void {
    switch (parsed.kind) {
      case 'event':
        return this.#checkEvent(parsed, line);
      case 'outside':
        return this.#checkOutside(parsed, line);
      case 'damaged':
        this.#recordCount += 1;
        return this.#partitionAt(parsed.partitionId).check.record({ index: parsed.index, line });
      case 'window':
        return this.#partitionAt(parsed.window).check.begin(parsed.window, line);
      case 'checkpoint':
        return this.#checkCheckpoint(parsed.checkpoint, line);
      case 'tail':
        this.#unsignedCount += this.#partitionAt(parsed.tail).check.tail(parsed.tail.end, line);
        return;
      case 'state':
        return this.#setState(parsed.state, line);
      case 'header':
        return this.#readHeader(parsed.header, line);
      default:
        this.#findings.add({ kind: 'line', message: 'a line is not as the service writes it', line });
    }
  }

  #readHeader(header: ExportHeader, line: number): void {
    if (this.#header !== undefined) return this.addFileFinding('the header is repeated here', line);
    this.#header = header;
    this.#ownHash = workspaceHash(header.workspace);
    this.#keyring.addKeys(header.keys, !this.#hasSuppliedKeys);
  }

  #setState(state: StateLine, line: number): void {
    const followed = this.#partitionAt(state);
    if (followed.state !== undefined)
      this.addFileFinding(`the newest checkpoint of ${partitionName(state)} is repeated here`, line);
    followed.state ??= state;
  }

  #partitionAt(partitionId: PartitionId): FollowedPartition {
    const name = partitionName(partitionId);
    const known = this.#partitions.get(name) ?? this.#follow(partitionId, name);
    if (known !== this.#current) this.#current?.check.close();
    this.#current = known;
    return known;
  }

  #follow({ topic, partition }: PartitionId, name: string): FollowedPartition {
    if (this.#partitions.size >= partitionsMax) throw new Error(`an export has ${partitionsMax} partitions at most`);
    const partitionId = { topic, partition };
    const trust = { keyring: this.#keyring, kept: this.#keptCheckpoints.of(name) };
    const followed: FollowedPartition = {
      check: new PartitionCheck(partitionId, this.#findings, trust),
      state: undefined,
    };
    this.#partitions.set(name, followed);
    return followed;
  }

  #checkEvent(
    { partitionId, index, event }: { partitionId: PartitionId; index: number; event: EventFacts },
    line: number,
  ): void {
    this.#recordCount += 1;
    const { id, time, digest } = event;
    const isOwn = event.workspace === this.#header?.workspace;
    if (!isOwn || !this.#isRequestedTime(time))
      this.#findings.addAt('unasked', partitionId, 'was not asked for', { line, index, id });
    const workspace = isOwn ? this.#ownHash : workspaceHash(event.workspace);
    this.#partitionAt(partitionId).check.record({
      index,
      line,
      id,
      time,
      leaf: hashOfLeaf({ time, workspace, digest }),
    });
  }

  #checkOutside(
    { partitionId, index, outside }: { partitionId: PartitionId; index: number; outside: OutsideLine['outside'] },
    line: number,
  ): void {
    this.#outsideCount += 1;
    const { time, workspace } = outside;
    if (workspace === this.#ownHash && this.#isRequestedTime(time))
      this.#findings.addAt('withheld', partitionId, 'was asked for, but only its hash is here', { line, index });
    this.#partitionAt(partitionId).check.record({ index, line, time, leaf: hashOfLeaf(outside) });
  }

  #isRequestedTime(time: number): boolean {
    return this.#header !== undefined && time >= this.#header.from && time < this.#header.to;
  }

  #checkCheckpoint(checkpoint: CheckpointLine, line: number): void {
    this.#checkpointCount += 1;
    this.#partitionAt(checkpoint).check.checkpoint(checkpoint, line);
  }

  end(): void {
    this.#current?.check.close();
    const header = this.#header;
    if (header === undefined) return;
    const unannounced = new Set(this.#partitions.values());
    for (const { topic, partitions } of header.topics) {
      for (let partition = 0; partition < Math.min(partitions, partitionsMax); partition += 1) {
        const followed = this.#partitionAt({ topic, partition });
        unannounced.delete(followed);
        this.#checkPartition(followed, header);
      }
    }
    for (const { check } of unannounced)
      this.#findings.addAt('file', check.partitionId, ': the header does not name this partition');
    this.#keptCheckpoints.end(header, this.#keyring, (name) => countOf(this.#partitions.get(name)?.state));
  }

  #checkPartition({ check, state }: FollowedPartition, header: ExportHeader): void {
    const { partitionId } = check;
    if (state === undefined) {
      this.#findings.addAt('missing', partitionId, ': the export does not contain its newest checkpoint');
      return;
    }
    const newest: Checkpoint | undefined = state.newest === null ? undefined : check.readSigned(state.newest);
    const input = { place: partitionId, part: check.part, newest, newestLine: state.newest?.line ?? '' };
    const trimmed = checkCompleteness(input, header, this.#findings);
    if (trimmed !== undefined) this.#trimmed.push(trimmed);
  }

  report(): Report {
    const { list, count } = this.#findings;
    const { workspace = null, from = null, to = null, at = null } = this.#header ?? {};
    return {
      isWhole: count === 0,
      workspace,
      from,
      to,
      at,
      records: this.#recordCount,
      unsigned: this.#unsignedCount,
      outside: this.#outsideCount,
      checkpoints: this.#checkpointCount,
      partitions: this.#partitions.size,
      keys: this.#hasSuppliedKeys ? 'given' : 'export',
      keyIds: this.#keyring.trusted,
      kept: this.#keptCheckpoints.counts,
      trimmed: this.#trimmed,
      findings: list,
      found: count,
    };
  }
}

/** Returns the count of the newest checkpoint before its signature is checked: only for the text of a finding. */
function countOf(state: StateLine | undefined): number {
  if (state?.newest === undefined || state.newest === null) return 0;
  try {
    return Number((JSON.parse(state.newest.line) as { readonly count?: unknown }).count) || 0;
  } catch {
    return 0;
  }
}
