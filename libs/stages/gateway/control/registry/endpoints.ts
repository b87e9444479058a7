// Maps endpoint keys to sources. A key works while its source is being configured, too: hooks need it for handshakes.
import type { SourceDefinition } from '../../../../domain/source/definition/messages.ts';
import type { ApphookInterface } from '../../../../domain/component/http/interfaces.ts';
import { acceptsRequests } from '../../../../domain/source/state/source.ts';
import type { FollowedTopic } from '../../../../domain/flow.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import { isTombstone } from '../../../loop/restoring/definitions.ts';
import type { Follower } from '../control-tail.ts';

export interface Endpoint {
  readonly sourceId: string;
  readonly workspace: string;
  /** The newest revision that can run. */
  readonly revision: number;
  readonly customResponse: boolean;
  /** Whether it has an http interface, which accepts every path; otherwise it has only an apphook. */
  readonly hasHttpInterface: boolean;
  /** Absent: it has no apphook. */
  readonly apphook?: ApphookInterface;
  /** Requests a second; undefined: any number. */
  readonly rateLimit: number | undefined;
}

export class Endpoints implements Follower {
  readonly #partitions: number;
  /** The endpoint keys by source id; only of sources with an http interface or an apphook. */
  readonly #keyBySource = new Map<string, string>();
  readonly #byKey = new Map<string, Endpoint>();
  readonly #foldedPartitions = new Set<number>();

  constructor(partitions: number) {
    this.#partitions = partitions;
  }

  /** Whether lifecycle has written all definitions to the topic: until then an unknown endpoint might exist. */
  get isComplete(): boolean {
    return this.#foldedPartitions.size >= this.#partitions;
  }

  accept(record: RecordOn<FollowedTopic>): void {
    if (record.topic !== 'sources') return;
    if (isTombstone(record)) this.#forget(record.key);
    else if (record.type === 'DefinitionsFolded') this.#foldedPartitions.add(record.partition);
    else this.#define(record.data, record.workspace);
  }

  /** Undefined: there is no such key, or its source has neither interface or is gone. */
  find(endpointKey: string): Endpoint | undefined {
    return this.#byKey.get(endpointKey);
  }

  #define(definition: SourceDefinition['data'], workspace: string): void {
    const { sourceId, endpointKey, revision, http, settings, active = true, update = null } = definition;
    const apphook = definition.apphook ?? null;
    if (!acceptsRequests({ ...definition, active, update })) return this.#forget(sourceId);
    this.#keyBySource.set(sourceId, endpointKey);
    const interfaces = {
      hasHttpInterface: http !== null,
      customResponse: http?.customResponse === true,
      ...(apphook === null ? {} : { apphook }),
    };
    this.#byKey.set(endpointKey, { sourceId, workspace, revision, ...interfaces, rateLimit: settings?.rateLimit });
  }

  #forget(sourceId: string): void {
    const endpointKey = this.#keyBySource.get(sourceId);
    if (endpointKey !== undefined) this.#byKey.delete(endpointKey);
    this.#keyBySource.delete(sourceId);
  }
}
