// Runs sweeps after installs, in the background: one at a time, and one for all installs that end meanwhile.
import { sweep } from './sweep.ts';

export class SweepScheduler {
  readonly #directory: string;
  #isSweeping = false;
  #isRequested = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Call after every install, failed or not. */
  request(): void {
    this.#isRequested = true;
    if (!this.#isSweeping) void this.#sweep();
  }

  async #sweep(): Promise<void> {
    this.#isSweeping = true;
    while (this.#isRequested) {
      this.#isRequested = false;
      await sweep(this.#directory);
    }
    this.#isSweeping = false;
  }
}
