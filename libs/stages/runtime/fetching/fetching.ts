// Runs the triggers without source that ask for code: from its URL, or from the registry.
import type { Wanted } from '../../../domain/component/program/registry-component.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { Packages } from '../../../packages/packages.ts';
import type { Invocation, Sandbox } from '../../../sandbox/sandbox.ts';
import type { Ambient } from '../../../domain/ambient.ts';
import { fetched } from './fetched.ts';
import { refused } from '../outcome/finished.ts';
import type { Begun, Finished } from '../outcome/finished.ts';
import type { Vault } from '../source/vault.ts';
import { fetchedCode, fetchInvocation } from './fetcher.ts';
import { find } from './finder.ts';

export interface FetchingOptions {
  readonly sandbox: Sandbox;
  readonly packages: Packages;
  readonly vault: Pick<Vault, 'open'>;
  readonly ambient: Pick<Ambient, 'now'>;
}

export class Fetching {
  readonly #options: FetchingOptions;

  constructor(options: FetchingOptions) {
    this.#options = options;
  }

  /** Undefined: the invocation was lost. */
  async fetch(begun: Begun, sealed: Sealed, manner: Partial<Invocation>): Promise<Finished | undefined> {
    const { sandbox } = this.#options;
    const { sourceId, workspace } = begun.queued;
    const url = this.#open(workspace, sealed);
    if (url === undefined)
      return refused(begun, 'The URL cannot be opened with the data key of this workspace', 'SealedError');
    const outcome = await sandbox.invoke({ ...fetchInvocation({ fetchId: sourceId, workspace, url }), ...manner });
    await sandbox.unload(sourceId);
    return outcome.end === 'lost' ? undefined : fetched(begun, outcome, fetchedCode(outcome));
  }

  async find(begun: Begun, wanted: Wanted): Promise<Finished> {
    const { packages, ambient } = this.#options;
    const result = await find(packages, wanted, begun.trigger.workspace);
    return fetched(begun, { durationMs: ambient.now() - begun.startedAt }, result);
  }

  #open(workspace: string, sealed: Sealed): string | undefined {
    try {
      return String(this.#options.vault.open(workspace, sealed));
    } catch {
      return undefined;
    }
  }
}
