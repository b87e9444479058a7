// Remembers the sources of a partition of which the sandbox might have an instance, and unloads them.
import type { Sandbox } from '../../../sandbox/sandbox.ts';

export class LoadedSources {
  readonly #ids = new Set<string>();
  readonly #sandbox: Pick<Sandbox, 'unload'>;
  readonly #fail: (error: Error) => void;

  constructor(sandbox: Pick<Sandbox, 'unload'>, fail: (error: Error) => void) {
    this.#sandbox = sandbox;
    this.#fail = fail;
  }

  add(sourceId: string): void {
    this.#ids.add(sourceId);
  }

  unload(sourceId: string): void {
    if (this.#ids.delete(sourceId)) this.#sandbox.unload(sourceId).catch(this.#fail);
  }

  async unloadAll(): Promise<void> {
    await Promise.all([...this.#ids].map((sourceId) => this.#sandbox.unload(sourceId)));
  }
}
