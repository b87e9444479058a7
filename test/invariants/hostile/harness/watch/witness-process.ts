// The witness as its service starts it: watches between `watch` and `rest`, and then tells what it saw.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Sighting, Watch } from './witness.ts';

export class Witness {
  /** Without the flags of the test runner, which are for its own process. */
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./witness.ts', import.meta.url)), { execArgv: [] });

  watch(watch: Watch): void {
    this.#child.send(watch);
  }

  /** All since `watch`, in the order of the answers; every request that was accepted has been answered. */
  async rest(): Promise<readonly Sighting[]> {
    const told = once(this.#child, 'message');
    this.#child.send('rest');
    const [seen] = (await told) as [Sighting[]];
    return seen;
  }

  dismiss(): void {
    this.#child.kill();
  }
}
