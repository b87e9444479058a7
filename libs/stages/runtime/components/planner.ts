// Decides what to do with each trigger of a partition, from the definitions and keys read so far.
import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { Auth } from '../accounts/auth.ts';
import type { Vault } from '../source/vault.ts';
import type { Components } from './components.ts';
import { isolateOf, decidePlan, mustWaitForOthers } from './plan.ts';
import type { Plan, RunningLane } from './plan.ts';
import type { KnownSources } from './known-sources.ts';

export interface PlannerOptions {
  readonly sources: KnownSources;
  readonly vault: Vault;
  readonly components: Components;
  readonly auth: Auth;
  /** The source's lanes of runs and calls that have something in progress. */
  readonly running: (sourceId: string) => readonly RunningLane[];
}

export class Planner {
  readonly #options: PlannerOptions;

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  planFor(trigger: QueuedTrigger): Plan {
    const { sources, vault } = this.#options;
    return decidePlan(trigger, {
      definition: sources.get(trigger.sourceId),
      isCaughtUp: sources.isCaughtUp(trigger.offset),
      key: vault.keyState(trigger.workspace),
    });
  }

  /** False: what the trigger needs has not been read yet, or it waits for others to end. */
  isRunnable(trigger: QueuedTrigger): boolean {
    const { sources, running } = this.#options;
    const { kind } = this.planFor(trigger);
    if (kind === 'unknown') sources.catchUp();
    if (kind === 'wait' || kind === 'unknown') return false;
    if (kind !== 'invoke' && trigger.lane !== 'hooks') return true;
    return !mustWaitForOthers(trigger, sources.get(trigger.sourceId), running(trigger.sourceId));
  }

  /** The current settings of the trigger's source. */
  settingsOf({ sourceId }: QueuedTrigger): SourceSettings | undefined {
    return this.#options.sources.get(sourceId)?.settings;
  }

  /**
   * The isolate that the trigger would run in. Undefined: the next one must not be sent right after it, because this
   * trigger, its component or an account must be read first, and the next one would overtake it. For concurrent runs
   * that does not matter.
   */
  isolateFor(trigger: QueuedTrigger, isConcurrent: boolean): string | undefined {
    const plan = this.planFor(trigger);
    if (plan.kind !== 'invoke') return undefined;
    const { components, auth } = this.#options;
    const { definition } = plan;
    const isKnown = components.isLoaded(definition) && auth.isKnown(definition.accounts ?? []);
    const isReady = trigger.record !== undefined && isKnown;
    return isReady || isConcurrent ? isolateOf(definition) : undefined;
  }
}
