// Starts the witness process of a service; it watches between `watch` and `rest`, and then returns what it saw.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Sighting, Watch } from './witness.ts';

export class Witness {
  /** Without the test runner's flags, which are only for its own process. */
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./witness.ts', import.meta.url)), { execArgv: [] });

  watch(watch: Watch): void {
    this.#child.send(watch);
  }

  /** Returns all answers since `watch`, in their order; every accepted request has been answered by then. */
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
