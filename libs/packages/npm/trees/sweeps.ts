// Sweeps after installs, in the background: one sweep at a time, and one for all installs that end meanwhile.
import { sweep } from './sweep.ts';

export class Sweeps {
  readonly #directory: string;
  #isSweeping = false;
  #isAsked = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** An install has ended, however it did. */
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
