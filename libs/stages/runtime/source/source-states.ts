// Keeps the states of a partition's sources: read from `state`, or fresh.
import { auditSourceOf } from '../../../domain/service-channels/witness.ts';
import type { LogRecord } from '../../../domain/message.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import { SourceState } from './source-state.ts';
import type { SavedState } from './source-state.ts';
import type { Vault } from './vault.ts';

/** A record about a source: its key is the source's id. */
type SourceRef = Pick<LogRecord, 'key' | 'workspace'>;

export class SourceStates {
  readonly #vault: Vault;
  readonly #bySource = new Map<string, SourceState>();
  /** The sources that have a record on `state`. */
  readonly #onLog = new Set<string>();
  /** The keys of the service's own states, which belong to no source and are kept. */
  readonly #serviceKeys = new Set<string>();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** Applies a record of `state`; a newer one of the same source replaces an older one. */
  accept(record: MessageOn<'state'>): void {
    if (isTombstone(record)) {
      this.forget(record.key);
      return;
    }
    if (record.type !== 'SourceStateSaved') return;
    this.#bySource.set(record.key, this.#make(record, record.data));
    this.#onLog.add(record.key);
  }

  /** The sources that have a state, on the log or not. */
  get ids(): Iterable<string> {
    return this.#bySource.keys();
  }

  has(sourceId: string): boolean {
    return this.#bySource.has(sourceId);
  }

  /** Whether this is an id under which the service itself publishes, which no source has. */
  isServiceKey(sourceId: string): boolean {
    return this.#serviceKeys.has(sourceId);
  }

  /** Call when records were appended to `state`; a key that no source has is ignored. */
  markOnLog(sourceId: string): void {
    if (this.#bySource.has(sourceId)) this.#onLog.add(sourceId);
  }

  /** Forgets the state; true: the log holds it and needs a tombstone. */
  forget(sourceId: string): boolean {
    this.#bySource.delete(sourceId);
    return this.#onLog.delete(sourceId);
  }

  of(source: SourceRef): SourceState {
    const known = this.#bySource.get(source.key);
    if (known !== undefined) return known;
    const fresh = this.#make(source, undefined);
    this.#bySource.set(source.key, fresh);
    return fresh;
  }

  /** If the workspace's key was erased, the sealed db is lost, so it is empty. */
  #make({ key, workspace }: SourceRef, saved: SavedState | undefined): SourceState {
    if (key === auditSourceOf(workspace)) this.#serviceKeys.add(key);
    return new SourceState(key, saved, {
      open: (sealed) => (this.#vault.keyState(workspace) === 'erased' ? {} : this.#vault.open(workspace, sealed)),
      seal: (jsonText) => this.#vault.seal(workspace, jsonText),
    });
  }
}
