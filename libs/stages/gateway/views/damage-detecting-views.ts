// Reports damage that a read of the views finds: once to the logger, and by health, with what to do.
import { PortError } from '../../../domain/port-error.ts';
import { LiveBuild } from '../../../view-store/live-build.ts';
import type {
  ViewBuild,
  ViewCount,
  ViewDocument,
  ViewGroup,
  ViewIndexKey,
  ViewQuery,
} from '../../../view-store/view-store.ts';

export class DamagedError extends PortError {
  constructor(cause: PortError) {
    super('corrupt', cause.message, cause);
  }
}

export class DamageDetectingViews extends LiveBuild {
  readonly #onDamage: (error: DamagedError) => void;
  #damage: { readonly build: string; readonly error: DamagedError } | undefined;

  constructor(live: ViewBuild, onDamage: (error: DamagedError) => void) {
    super(() => live);
    this.#onDamage = onDamage;
  }

  /** The damage found in the live views; undefined: none, or they were rebuilt since. */
  get damage(): DamagedError | undefined {
    return this.#damage?.build === this.name ? this.#damage.error : undefined;
  }

  override get(view: string, id: string): Promise<ViewDocument | undefined> {
    return this.#detectDamage(super.get(view, id));
  }

  override getMany(view: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]> {
    return this.#detectDamage(super.getMany(view, ids));
  }

  override find(view: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    return this.#detectDamage(super.find(view, query));
  }

  override findKeys(view: string, query: ViewQuery): Promise<readonly ViewIndexKey[]> {
    return this.#detectDamage(super.findKeys(view, query));
  }

  override highest(view: string, query: ViewGroup): Promise<string | number | undefined> {
    return this.#detectDamage(super.highest(view, query));
  }

  override count(view: string, query: ViewCount): Promise<number> {
    return this.#detectDamage(super.count(view, query));
  }

  async #detectDamage<Result>(reading: Promise<Result>): Promise<Result> {
    const build = this.name;
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof PortError && error.code === 'corrupt')) throw error;
      const damaged = new DamagedError(error);
      if (this.#damage?.build !== build) {
        this.#damage = { build, error: damaged };
        this.#onDamage(damaged);
      }
      throw damaged;
    }
  }
}
