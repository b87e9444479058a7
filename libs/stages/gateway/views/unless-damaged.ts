// Reports damage that a read of the views finds: once to the logger, and by health, with what to do.
import { PortError } from '../../../domain/port-error.ts';
import { LiveBuild } from '../../../view-store/live-build.ts';
import type {
  ViewBuild,
  ViewCount,
  ViewDocument,
  ViewGroup,
  ViewPlace,
  ViewQuery,
} from '../../../view-store/view-store.ts';

export class DamagedError extends PortError {
  constructor(cause: PortError) {
    super('corrupt', cause.message, cause);
  }
}

export class UnlessDamaged extends LiveBuild {
  readonly #onDamage: (error: DamagedError) => void;
  #found: { readonly build: string; readonly error: DamagedError } | undefined;

  constructor(live: ViewBuild, onDamage: (error: DamagedError) => void) {
    super(() => live);
    this.#onDamage = onDamage;
  }

  /** The damage found in the live views; undefined: none, or they were rebuilt since. */
  get damage(): DamagedError | undefined {
    return this.#found?.build === this.name ? this.#found.error : undefined;
  }

  override get(view: string, id: string): Promise<ViewDocument | undefined> {
    return this.#noting(super.get(view, id));
  }

  override getMany(view: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]> {
    return this.#noting(super.getMany(view, ids));
  }

  override find(view: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    return this.#noting(super.find(view, query));
  }

  override places(view: string, query: ViewQuery): Promise<readonly ViewPlace[]> {
    return this.#noting(super.places(view, query));
  }

  override highest(view: string, query: ViewGroup): Promise<string | number | undefined> {
    return this.#noting(super.highest(view, query));
  }

  override count(view: string, query: ViewCount): Promise<number> {
    return this.#noting(super.count(view, query));
  }

  async #noting<Result>(reading: Promise<Result>): Promise<Result> {
    const build = this.name;
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof PortError && error.code === 'corrupt')) throw error;
      const damaged = new DamagedError(error);
      if (this.#found?.build !== build) {
        this.#found = { build, error: damaged };
        this.#onDamage(damaged);
      }
      throw damaged;
    }
  }
}
