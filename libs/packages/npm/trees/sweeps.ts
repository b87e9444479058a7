// Runs sweeps after installs, in the background: one at a time, and one for all installs that end meanwhile.
import { sweep } from './sweep.ts';

export class Sweeps {
  readonly #directory: string;
  #isSweeping = false;
  #isAsked = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Call after every install, failed or not. */
  ask(): void {
    this.#isAsked = true;
    if (!this.#isSweeping) void this.#sweep();
  }

  async #sweep(): Promise<void> {
    this.#isSweeping = true;
    while (this.#isAsked) {
      this.#isAsked = false;
      await sweep(this.#directory);
    }
    this.#isSweeping = false;
  }
}
