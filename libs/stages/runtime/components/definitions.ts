// The sources of a partition as their definitions tell: which revision stands, and where its code and props are found.
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { SourceSettings } from '../../../domain/component/settings/source-settings.ts';
import type { DefinitionsEvent, SourceDefinition } from '../../../domain/definition/messages.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { LogRecord } from '../../../domain/message.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';

/** Manifest and props of a revision that may run or have its hooks called. */
export interface Configured {
  readonly manifest: Manifest;
  readonly props: { readonly [name: string]: JsonObject[string] | Sealed };
}

/** One for each source: small, since there may be a hundred thousand, most of them idle. */
export interface Definition {
  readonly sourceId: string;
  readonly endpointKey: string;
  readonly revision: number;
  /** Where on `components` its code stands, or before that. */
  readonly codeFrom: number;
  /** And its manifest and props; null: it is not configured yet. */
  readonly configuredFrom: number | null;
  /** Absent: the defaults. */
  readonly settings?: SourceSettings;
}

/** Of one whose definition cannot be read: no revision of it is known, and its triggers wait. */
const noRevision = 0;

export class Definitions {
  readonly #bySource = new Map<string, Definition>();

  /** Undefined: there is no such source, or nothing was read of it yet. */
  get(sourceId: string): Definition | undefined {
    return this.#bySource.get(sourceId);
  }

  accept(record: LogRecord): void {
    const { type, data } = record as SourceDefinition | DefinitionsEvent;
    if (type === 'DefinitionsFolded') return;
    if (isTombstone(record)) {
      this.#bySource.delete(record.key);
      return;
    }
    const { sourceId, endpointKey, revision, codeFrom, configuredFrom, settings } = data;
    const asked = settings === undefined ? {} : { settings };
    this.#bySource.set(sourceId, { sourceId, endpointKey, revision, codeFrom, configuredFrom, ...asked });
  }

  /** Its definition cannot be used: what was known before stays, and a source that was not known is not gone. */
  spoil(key: unknown): void {
    if (typeof key !== 'string' || this.#bySource.has(key)) return;
    const nowhere = { codeFrom: 0, configuredFrom: null };
    this.#bySource.set(key, { sourceId: key, endpointKey: '', revision: noRevision, ...nowhere });
  }
}
