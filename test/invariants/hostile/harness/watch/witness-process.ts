// Starts the witness process of a service; it watches between `watch` and `stop`, and then returns what it saw.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Observation, Watch } from './witness.ts';

export class Witness {
  /** Without the test runner's flags, which are only for its own process. */
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./witness.ts', import.meta.url)), { execArgv: [] });

  watch(watch: Watch): void {
    this.#child.send(watch);
  }

  /** Returns all answers since `watch`, in their order; every accepted request has been answered by then. */
  stop(): Promise<readonly Observation[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Observation[]>();
    this.#child.once('message', (seen) => resolve(seen as Observation[]));
    this.#child.once('exit', () => reject(new Error('the process that watches has ended')));
    this.#child.send('rest');
    return promise;
  }

  kill(): void {
    this.#child.kill();
  }
}
