// The runtime stage: runs components for their triggers and appends what they emit and how they end.
import type { Pace, Capacity } from '../../sandbox/sandbox.ts';
import { Stage } from '../loop/stage.ts';
import type { StageTask, TaskContext } from '../loop/stage.ts';
import type { SharedAdmission } from './lanes/dispatcher-options.ts';
import { runtimeLimits } from './runtime-limits.ts';
import type { RuntimeLimits } from './runtime-limits.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { QueueDepths } from './measuring/queue-depths.ts';
import { RunAdmission } from './admission/run-admission.ts';
import { PaceRecords } from './admission/pace-records.ts';
import { FollowedAccounts } from './accounts/followed-accounts.ts';
import { RuntimeTask } from './runtime-task.ts';
import { BundleCache } from './bundles/bundle-store.ts';
import { ComponentCache } from './components/component-cache.ts';
import { restore } from './restoring/restore-sources.ts';

export class RuntimeStage extends Stage {
  readonly name = 'runtime';
  readonly #options: RuntimeOptions;
  readonly #limits: RuntimeLimits;
  readonly #admission: SharedAdmission;
  readonly #componentCache: ComponentCache;
  readonly #accounts = new FollowedAccounts();
  readonly #bundleCache: BundleCache;
  readonly #depths = new QueueDepths();

  constructor({ limits, ...options }: RuntimeOptions & { readonly limits?: Partial<RuntimeLimits> }) {
    super();
    this.#options = options;
    this.#limits = { ...runtimeLimits, ...limits };
    this.#admission = sharedAdmission(options, this.#limits);
    this.#componentCache = new ComponentCache(this.#limits.componentBytesMax);
    this.#bundleCache = new BundleCache(this.#limits.bundleUnitsMax);
    if (options.metrics !== undefined) this.#depths.registerIn(options.metrics);
  }

  override get trouble(): string | undefined {
    return this.#options.sandbox.trouble;
  }

  /** Throws WrongMasterKeyError. */
  async open(context: TaskContext): Promise<StageTask> {
    const accounts = this.#accounts;
    const restored = await restore(context, { ...this.#options, limits: this.#limits, accounts });
    const caches = { componentCache: this.#componentCache, bundleCache: this.#bundleCache };
    const shared = { admission: this.#admission, ...caches, depths: this.#depths };
    return new RuntimeTask({ ...this.#options, context, restored, ...shared, limits: this.#limits });
  }

  /** The sandbox belongs to the engine, which closes it. */
  async close(): Promise<void> {}
}

/** A hook or a call does not predict the next one, so each is treated as if its source were new. */
function sharedAdmission({ sandbox }: RuntimeOptions, limits: RuntimeLimits): SharedAdmission {
  const { runsMax, newRunsMax, heavyMax, hooksMax, callsMax, quickMs, newRunsReserve, slowRunsReserve } = limits;
  const common = {
    heavyMax,
    quickMs,
    slowReserve: slowRunsReserve,
    room: (pace: Pace): Capacity => sandbox.capacity(pace),
  };
  return {
    runs: new RunAdmission({ quickMax: runsMax, newMax: newRunsMax, newReserve: newRunsReserve, ...common }),
    hooks: new RunAdmission({ quickMax: hooksMax, newMax: hooksMax, newReserve: 0, ...common }),
    calls: new RunAdmission({ quickMax: callsMax, newMax: callsMax, newReserve: 0, ...common }),
    paces: new PaceRecords(limits),
  };
}
