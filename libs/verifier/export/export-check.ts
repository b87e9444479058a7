// Passes each line of an export to the check of its partition, and checks what concerns the whole file.
import { workspaceHash } from './file/format.ts';
import type { CheckpointLine, ExportHeader, OutsideLine, Place, SignedLine, StateLine } from './file/format.ts';
import { placeName } from './file/format.ts';
import type { EventFacts } from './file/event-facts.ts';
import type { ParsedLine } from './file/parse-line.ts';
import { Findings } from './findings.ts';
import type { AuditorKeyring } from './keyring.ts';
import { KeptOutside } from './kept-outside.ts';
import { hashOfLeaf } from '../leaf.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { checkCompleteness, type Trimmed } from './partition/completeness.ts';
import { PartitionCheck } from './partition/partition-check.ts';
import type { Report } from './report.ts';

/** More than any service has; the limit keeps a file from filling the memory with names. */
const partitionsMax = 200_000;

export interface Trust {
  readonly areKeysGiven: boolean;
  readonly kept: readonly SignedLine[];
}

interface Followed {
  readonly check: PartitionCheck;
  state: StateLine | undefined;
}

export class ExportCheck {
  readonly #findings = new Findings();
  readonly #keyring: AuditorKeyring;
  readonly #areKeysGiven: boolean;
  readonly #kept: KeptOutside;
  readonly #partitions = new Map<string, Followed>();
  readonly #trimmed: Trimmed[] = [];
  #header: ExportHeader | undefined;
  #ownHash = '';
  #current: Followed | undefined;
  #records = 0;
  #outside = 0;
  #unsigned = 0;
  #checkpoints = 0;

  constructor(keyring: AuditorKeyring, { areKeysGiven, kept }: Trust) {
    this.#keyring = keyring;
    this.#areKeysGiven = areKeysGiven;
    this.#kept = new KeptOutside(kept, this.#findings);
  }

  get records(): number {
    return this.#records;
  }

  /** Reports a finding about the file itself, not about history. */
  damaged(message: string, line: number): void {
    this.#findings.add({ kind: 'file', message, line });
  }

  take(parsed: ParsedLine, line: number): void {
    switch (parsed.kind) {
      case 'event':
        return this.#event(parsed, line);
      case 'outside':
        return this.#outsideOf(parsed, line);
      case 'damaged':
        this.#records += 1;
        return this.#at(parsed.place).check.record({ index: parsed.index, line });
      case 'window':
        return this.#at(parsed.window).check.begin(parsed.window, line);
      case 'checkpoint':
        return this.#checkpoint(parsed.checkpoint, line);
      case 'tail':
        this.#unsigned += this.#at(parsed.tail).check.tail(parsed.tail.end, line);
        return;
      case 'state':
        return this.#state(parsed.state, line);
      case 'header':
        return this.#begin(parsed.header, line);
      default:
        this.#findings.add({ kind: 'line', message: 'a line is not as the service writes it', line });
    }
  }

  #begin(header: ExportHeader, line: number): void {
    if (this.#header !== undefined) return this.damaged('the header is repeated here', line);
    this.#header = header;
    this.#ownHash = workspaceHash(header.workspace);
    this.#keyring.introduce(header.keys, !this.#areKeysGiven);
  }

  #state(state: StateLine, line: number): void {
    const followed = this.#at(state);
    if (followed.state !== undefined)
      this.damaged(`the newest checkpoint of ${placeName(state)} is repeated here`, line);
    followed.state ??= state;
  }

  #at(place: Place): Followed {
    const name = placeName(place);
    const known = this.#partitions.get(name) ?? this.#follow(place, name);
    if (known !== this.#current) this.#current?.check.close();
    this.#current = known;
    return known;
  }

  #follow({ topic, partition }: Place, name: string): Followed {
    if (this.#partitions.size >= partitionsMax) throw new Error(`an export has ${partitionsMax} partitions at most`);
    const place = { topic, partition };
    const trust = { keyring: this.#keyring, kept: this.#kept.of(name) };
    const followed: Followed = { check: new PartitionCheck(place, this.#findings, trust), state: undefined };
    this.#partitions.set(name, followed);
    return followed;
  }

  #event({ place, index, event }: { place: Place; index: number; event: EventFacts }, line: number): void {
    this.#records += 1;
    const { id, time, digest } = event;
    const isOwn = event.workspace === this.#header?.workspace;
    if (!isOwn || !this.#isAsked(time)) this.#findings.at('unasked', place, 'was not asked for', { line, index, id });
    const workspace = isOwn ? this.#ownHash : workspaceHash(event.workspace);
    this.#at(place).check.record({ index, line, id, time, leaf: hashOfLeaf({ time, workspace, digest }) });
  }

  #outsideOf(
    { place, index, outside }: { place: Place; index: number; outside: OutsideLine['outside'] },
    line: number,
  ): void {
    this.#outside += 1;
    const { time, workspace } = outside;
    if (workspace === this.#ownHash && this.#isAsked(time))
      this.#findings.at('withheld', place, 'was asked for, but only its hash is here', { line, index });
    this.#at(place).check.record({ index, line, time, leaf: hashOfLeaf(outside) });
  }

  #isAsked(time: number): boolean {
    return this.#header !== undefined && time >= this.#header.from && time < this.#header.to;
  }

  #checkpoint(checkpoint: CheckpointLine, line: number): void {
    this.#checkpoints += 1;
    this.#at(checkpoint).check.checkpoint(checkpoint, line);
  }

  end(): void {
    this.#current?.check.close();
    const header = this.#header;
    if (header === undefined) return;
    const unannounced = new Set(this.#partitions.values());
    for (const { topic, partitions } of header.topics) {
      for (let partition = 0; partition < Math.min(partitions, partitionsMax); partition += 1) {
        const followed = this.#at({ topic, partition });
        unannounced.delete(followed);
        this.#complete(followed, header);
      }
    }
    for (const { check } of unannounced)
      this.#findings.at('file', check.place, ': the header does not name this partition');
    this.#kept.end(header, this.#keyring, (name) => countOf(this.#partitions.get(name)?.state));
  }

  #complete({ check, state }: Followed, header: ExportHeader): void {
    const { place } = check;
    if (state === undefined) {
      this.#findings.at('missing', place, ': the export does not contain its newest checkpoint');
      return;
    }
    const newest: Checkpoint | undefined = state.newest === null ? undefined : check.signed(state.newest);
    const whole = { place, part: check.part, newest, newestLine: state.newest?.line ?? '' };
    const trimmed = checkCompleteness(whole, header, this.#findings);
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
      records: this.#records,
      unsigned: this.#unsigned,
      outside: this.#outside,
      checkpoints: this.#checkpoints,
      partitions: this.#partitions.size,
      keys: this.#areKeysGiven ? 'given' : 'export',
      keyIds: this.#keyring.trusted,
      kept: this.#kept.counts,
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
