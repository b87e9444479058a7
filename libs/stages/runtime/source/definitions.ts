// Keeps a partition's sources according to their definitions: the current revision, and where its code and props are.
import type { BundleLocation } from '../../../domain/component/bundle/messages.ts';
import { mustTriggersWait } from '../../../domain/source/state/source.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import type { RevisionDefinition, SourceDefinition } from '../../../domain/source/definition/messages.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';

/** The manifest and props with which a revision runs and has its hooks called. */
export interface Configured {
  readonly manifest: Manifest;
  readonly props: { readonly [name: string]: JsonObject[string] | Sealed };
  /** The bundle that it is loaded from; absent: it is built from its code alone. */
  readonly bundle?: BundleLocation;
}

/** Kept small, since there can be a hundred thousand sources, most of them idle. */
export interface Definition {
  readonly sourceId: string;
  readonly endpointKey: string;
  readonly revision: number;
  /** An offset on `components` at or before the record of its code. */
  readonly codeFrom: number;
  /** The revision that brought this code. */
  readonly codeRevision: number;
  /** An offset at or before the record of its manifest and props; null: it is not configured yet. */
  readonly configuredFrom: number | null;
  /** The revision that an update leads to, until it becomes current or the update ends. */
  readonly next?: Pick<Definition, 'revision' | 'codeFrom' | 'codeRevision' | 'settings'>;
  /** The revisions whose code might be loaded: that of this revision, and during an update that of the other one. */
  readonly codeRevisions: readonly number[];
  readonly isActive: boolean;
  readonly isUpdating: boolean;
  /** Whether triggers wait for the outcome of an update. */
  readonly triggersWait: boolean;
  /** The settings for hooks and runs, also during an update; absent: the defaults. */
  readonly settings?: SourceSettings;
  /** The ids of the accounts that the current revision names; absent: none. */
  readonly accounts?: readonly string[];
}

/** The revision of a source whose definition cannot be read: its triggers wait. */
const unreadableRevision = 0;

export class SourceDefinitions {
  readonly #bySource = new Map<string, Definition>();

  /** Undefined: there is no such source, or its definition has not been read yet. */
  get(sourceId: string): Definition | undefined {
    return this.#bySource.get(sourceId);
  }

  accept(record: MessageOn<'sources'>): void {
    if (record.type === 'DefinitionsFolded') return;
    if (isTombstone(record)) {
      this.#bySource.delete(record.key);
      return;
    }
    this.#bySource.set(record.data.sourceId, definitionOf(record.data));
  }

  /** For a definition that cannot be read: the source keeps the one read before, and does not count as gone. */
  markUnreadable(key: unknown): void {
    if (typeof key !== 'string' || this.#bySource.has(key)) return;
    const noOffsets = { codeFrom: 0, codeRevision: unreadableRevision, codeRevisions: [], configuredFrom: null };
    const noUpdate = { isActive: true, isUpdating: false, triggersWait: false };
    this.#bySource.set(key, {
      sourceId: key,
      endpointKey: '',
      revision: unreadableRevision,
      ...noOffsets,
      ...noUpdate,
    });
  }
}

function definitionOf(data: SourceDefinition['data']): Definition {
  const { sourceId, endpointKey, revision, codeFrom, codeRevision = revision, configuredFrom } = data;
  const { active = true, update = null, accounts } = data;
  const settings = settingsOf(data);
  const next = update?.swapped === 'not_yet' ? update.other : null;
  return {
    sourceId,
    endpointKey,
    revision,
    codeFrom,
    codeRevision,
    configuredFrom,
    codeRevisions: update?.other ? [codeRevision, update.other.codeRevision] : [codeRevision],
    ...(next === null ? {} : { next: nextOf(next, update?.settings ?? settings) }),
    ...(settings === undefined ? {} : { settings }),
    ...(accounts === undefined ? {} : { accounts }),
    isActive: active,
    isUpdating: update !== null,
    triggersWait: mustTriggersWait({ ...data, active, update }),
  };
}

/** An update's settings apply from its swap on, or at once if it only makes the source active, for its `activate`. */
function settingsOf({ settings, update }: SourceDefinition['data']): SourceSettings | undefined {
  const updateSettings = update?.settings;
  if (update === undefined || updateSettings === undefined) return settings;
  const isActivating = update.swapped === 'not_yet' && update.other === null && update.active;
  return update.swapped === 'swapped' || isActivating ? updateSettings : settings;
}

const nextOf = (
  { revision, codeFrom, codeRevision }: RevisionDefinition,
  settings: SourceSettings | undefined,
): NonNullable<Definition['next']> => ({
  revision,
  codeFrom,
  codeRevision,
  ...(settings === undefined ? {} : { settings }),
});
