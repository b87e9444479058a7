// Which source an endpoint key leads to, from its configuring on (hooks of real components handshake) until its end.
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { SourceEvent } from '../../../domain/component/messages.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { Follower } from './control-tail.ts';

export interface Endpoint {
  readonly sourceId: string;
  readonly workspace: string;
  /** The newest one that can run. */
  readonly revision: number;
  readonly customResponse: boolean;
}

interface Source {
  readonly endpointKey: string;
  /** What the endpoint was before the process that is under way; undefined: nothing. */
  readonly settled: Endpoint | undefined;
  readonly current: Endpoint | undefined;
}

type Of<Type extends SourceEvent['type']> = StoredRecord<Extract<SourceEvent, { type: Type }>>;

export class Endpoints implements Follower {
  readonly #sources = new Map<string, Source>();
  readonly #byKey = new Map<string, Endpoint>();

  accept(stored: StoredRecord): void {
    const record = stored as StoredRecord<SourceEvent>;
    if (record.type === 'SourceDeploying') this.#deploying(record);
    else if (record.type === 'SourceConfigured') this.#configured(record);
    else if (record.type === 'SourceDeployed') this.#settle(record.data.sourceId, true);
    else if (record.type === 'SourceDeployRefused' && record.data.revision > 0)
      this.#settle(record.data.sourceId, false);
    else if (record.type === 'SourceDeleted') this.#forget(record.data.sourceId);
  }

  /** Undefined: no such key, no http interface, or no longer. */
  find(endpointKey: string): Endpoint | undefined {
    return this.#byKey.get(endpointKey);
  }

  #deploying({ data }: Of<'SourceDeploying'>): void {
    const settled = this.#sources.get(data.sourceId)?.settled;
    this.#sources.set(data.sourceId, { endpointKey: data.endpointKey, settled, current: settled });
  }

  #configured({ data, workspace }: Of<'SourceConfigured'>): void {
    const source = this.#sources.get(data.sourceId);
    if (source === undefined) return;
    const { sourceId, revision, manifest } = data;
    const http = httpProp(manifest);
    const customResponse = http?.customResponse === true;
    this.#set(sourceId, {
      ...source,
      current: http === undefined ? undefined : { sourceId, workspace, revision, customResponse },
    });
  }

  #settle(sourceId: string, deployed: boolean): void {
    const source = this.#sources.get(sourceId);
    if (source === undefined) return;
    const endpoint = deployed ? source.current : source.settled;
    if (!deployed && endpoint === undefined) this.#forget(sourceId);
    else this.#set(sourceId, { ...source, settled: endpoint, current: endpoint });
  }

  #set(sourceId: string, source: Source): void {
    this.#sources.set(sourceId, source);
    if (source.current === undefined) this.#byKey.delete(source.endpointKey);
    else this.#byKey.set(source.endpointKey, source.current);
  }

  #forget(sourceId: string): void {
    const source = this.#sources.get(sourceId);
    if (source !== undefined) this.#byKey.delete(source.endpointKey);
    this.#sources.delete(sourceId);
  }
}

function httpProp(manifest: Manifest): Manifest['props'][number] | undefined {
  return manifest.props.find((prop) => prop.type === '$.interface.http');
}
