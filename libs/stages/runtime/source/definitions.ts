// The sources of a partition as `components` tells them: which code and props each revision has, and which one runs.
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { SourceEvent } from '../../../domain/component/messages.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';

/** A revision that may run or have its hooks called. */
export interface Configured {
  readonly manifest: Manifest;
  readonly props: { readonly [name: string]: JsonObject[string] | Sealed };
}

export interface Revision {
  readonly revision: number;
  readonly code: string;
  readonly configured: Configured | undefined;
}

export interface Definition {
  readonly sourceId: string;
  readonly workspace: string;
  readonly endpointKey: string;
  readonly revisions: ReadonlyMap<number, Revision>;
  /** The newest revision that was heard of. */
  readonly newest: number;
  /** The revision that runs: the deployed one, or during a first deploy the configured one. */
  readonly current: number | undefined;
  /** Deleted, or its first deploy refused: it will never run again. */
  readonly gone: boolean;
}

export class Definitions {
  readonly #bySource = new Map<string, Definition>();

  get(sourceId: string): Definition | undefined {
    return this.#bySource.get(sourceId);
  }

  accept(record: SourceEvent): void {
    const { sourceId } = record.data;
    const before = this.#bySource.get(sourceId);
    const after = record.type === 'SourceDeploying' ? deploying(before, record) : evolve(before, record);
    if (after !== undefined) this.#bySource.set(sourceId, after);
  }
}

type Deploying = Extract<SourceEvent, { type: 'SourceDeploying' }>;

function deploying(before: Definition | undefined, { workspace, data }: Deploying): Definition {
  const { sourceId, endpointKey, revision, code } = data;
  const revisions = new Map(before?.revisions).set(revision, { revision, code, configured: undefined });
  return { sourceId, workspace, endpointKey, revisions, newest: revision, current: before?.current, gone: false };
}

function evolve(before: Definition | undefined, record: Exclude<SourceEvent, Deploying>): Definition | undefined {
  if (before === undefined) return undefined;
  switch (record.type) {
    case 'SourceConfigured': {
      const { revision, manifest, props } = record.data;
      const code = before.revisions.get(revision)?.code ?? '';
      const revisions = new Map(before.revisions).set(revision, { revision, code, configured: { manifest, props } });
      return { ...before, revisions, current: before.current ?? revision };
    }
    case 'SourceDeployed':
      return only(before, record.data.revision);
    case 'SourceDeployRefused':
      return refused(before, record.data.revision);
    case 'SourceDeleted':
      return { ...before, revisions: new Map(), current: undefined, gone: true };
    case 'SourceDeleting':
    case 'SourceDeleteRefused':
      return before;
  }
}

function only(before: Definition, revision: number): Definition {
  const kept = before.revisions.get(revision);
  return { ...before, current: revision, revisions: new Map(kept === undefined ? [] : [[revision, kept]]) };
}

/** Revision 0 says that no process began: the source is as it was. */
function refused(before: Definition, revision: number): Definition {
  if (revision === 0 || !before.revisions.has(revision)) return before;
  const revisions = new Map(before.revisions);
  revisions.delete(revision);
  const current = before.current === revision ? undefined : before.current;
  return { ...before, revisions, current, gone: current === undefined };
}
