// Runs the triggers without source that ask for code: from its URL, or from the registry.
import type { RegistryQuery } from '../../../domain/component/program/registry-component.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { Packages } from '../../../packages/packages.ts';
import type { Invocation, Sandbox } from '../../../sandbox/sandbox.ts';
import type { Ambient } from '../../../domain/ambient.ts';
import { fetchResult } from './fetch-result.ts';
import { refusedResult } from '../outcome/trigger-result.ts';
import type { Attempt, TriggerResult } from '../outcome/trigger-result.ts';
import type { Vault } from '../source/vault.ts';
import { fetchedCode, fetchInvocation } from './fetcher-component.ts';
import { searchRegistry } from './registry-search.ts';

export interface CodeFetcherOptions {
  readonly sandbox: Sandbox;
  readonly packages: Packages;
  readonly vault: Pick<Vault, 'open'>;
  readonly ambient: Pick<Ambient, 'now'>;
}

export class CodeFetcher {
  readonly #options: CodeFetcherOptions;

  constructor(options: CodeFetcherOptions) {
    this.#options = options;
  }

  /** Undefined: the invocation was lost. */
  async fetch(attempt: Attempt, sealed: Sealed, mode: Partial<Invocation>): Promise<TriggerResult | undefined> {
    const { sandbox } = this.#options;
    const { sourceId, workspace } = attempt.queued;
    const url = this.#unsealUrl(workspace, sealed);
    if (url === undefined)
      return refusedResult(attempt, 'The URL cannot be opened with the data key of this workspace', 'SealedError');
    const outcome = await sandbox.invoke({ ...fetchInvocation({ fetchId: sourceId, workspace, url }), ...mode });
    await sandbox.unload(sourceId);
    return outcome.end === 'lost' ? undefined : fetchResult(attempt, outcome, fetchedCode(outcome));
  }

  async findInRegistry(attempt: Attempt, wanted: RegistryQuery): Promise<TriggerResult> {
    const { packages, ambient } = this.#options;
    const content = await searchRegistry(packages, wanted, attempt.trigger.workspace);
    return fetchResult(attempt, { durationMs: ambient.now() - attempt.startedAt }, content);
  }

  #unsealUrl(workspace: string, sealed: Sealed): string | undefined {
    try {
      return String(this.#options.vault.open(workspace, sealed));
    } catch {
      return undefined;
    }
  }
}
