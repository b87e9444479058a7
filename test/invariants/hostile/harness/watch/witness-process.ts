// The witness as its service starts it: watches between `watch` and `rest`, and then tells what it saw.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Sighting, Watch } from './witness.ts';

export class Witness {
  /** Without the flags of the test runner, which are for its own process. */
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./witness.ts', import.meta.url)), { execArgv: [] });

  watch(watch: Watch): void {
    this.#child.send(watch);
  }

  /** All since `watch`, in the order of the answers; every request that was accepted has been answered. */
  rest(): Promise<readonly Sighting[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Sighting[]>();
    this.#child.once('message', (seen) => resolve(seen as Sighting[]));
    this.#child.once('exit', () => reject(new Error('the process that watches has ended')));
    this.#child.send('rest');
    return promise;
  }

  dismiss(): void {
    this.#child.kill();
  }
}
