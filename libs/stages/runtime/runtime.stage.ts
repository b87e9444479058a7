// The runtime stage: runs components for their triggers and appends what they emit and how they end.
import type { Pace, Room } from '../../sandbox/sandbox.ts';
import { Stage } from '../loop/stage.ts';
import type { StageTask, TaskContext } from '../loop/stage.ts';
import type { SharedPlaces } from './lanes/dispatcher-options.ts';
import { runtimeLimits } from './runtime-limits.ts';
import type { RuntimeLimits } from './runtime-limits.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { Depths } from './measuring/depths.ts';
import { RunPlaces } from './places/run-places.ts';
import { PaceRecords } from './places/pace-records.ts';
import { FollowedAccounts } from './accounts/followed-accounts.ts';
import { RuntimeTask } from './runtime-task.ts';
import { BundleCache } from './bundles/bundles.ts';
import { ComponentCache } from './components/cache.ts';
import { restore } from './restoring/restore-sources.ts';

export class RuntimeStage extends Stage {
  readonly name = 'runtime';
  readonly #options: RuntimeOptions;
  readonly #limits: RuntimeLimits;
  readonly #places: SharedPlaces;
  readonly #componentCache: ComponentCache;
  readonly #accounts = new FollowedAccounts();
  readonly #bundleCache: BundleCache;
  readonly #depths = new Depths();

  constructor({ limits, ...options }: RuntimeOptions & { readonly limits?: Partial<RuntimeLimits> }) {
    super();
    this.#options = options;
    this.#limits = { ...runtimeLimits, ...limits };
    this.#places = sharedPlaces(options, this.#limits);
    this.#componentCache = new ComponentCache(this.#limits.componentBytesMax);
    this.#bundleCache = new BundleCache(this.#limits.bundleUnitsMax);
    if (options.metrics !== undefined) this.#depths.showIn(options.metrics);
  }

  override get trouble(): string | undefined {
    return this.#options.sandbox.trouble;
  }

  /** Throws WrongMasterKeyError. */
  async open(context: TaskContext): Promise<StageTask> {
    const accounts = this.#accounts;
    const restored = await restore(context, { ...this.#options, limits: this.#limits, accounts });
    const caches = { componentCache: this.#componentCache, bundleCache: this.#bundleCache };
    const shared = { places: this.#places, ...caches, depths: this.#depths };
    return new RuntimeTask({ ...this.#options, context, restored, ...shared, limits: this.#limits });
  }

  /** The sandbox belongs to the engine, which closes it. */
  async close(): Promise<void> {}
}

/** A hook or a call does not predict the next one, so each is treated as if its source were new. */
function sharedPlaces({ sandbox }: RuntimeOptions, limits: RuntimeLimits): SharedPlaces {
  const { runsMax, newRunsMax, heavyMax, hooksMax, callsMax, quickMs, newRunsLeave, slowRunsLeave } = limits;
  const common = { heavyMax, quickMs, slowLeaves: slowRunsLeave, room: (pace: Pace): Room => sandbox.room(pace) };
  return {
    runs: new RunPlaces({ quickMax: runsMax, newMax: newRunsMax, newLeaves: newRunsLeave, ...common }),
    hooks: new RunPlaces({ quickMax: hooksMax, newMax: hooksMax, newLeaves: 0, ...common }),
    calls: new RunPlaces({ quickMax: callsMax, newMax: callsMax, newLeaves: 0, ...common }),
    paces: new PaceRecords(limits),
  };
}
