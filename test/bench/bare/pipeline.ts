// Starts the bare pipeline with which the product is compared: processes of one group that take the same requests.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endLater, removeLater } from '../../support/processes/left-behind.ts';
import type { PipelineConfig } from './pipeline-main.ts';

export class BarePipeline {
  /** One URL for each source. */
  readonly urls: readonly string[];
  readonly #child: ChildProcess;
  readonly #directory: string;

  private constructor(child: ChildProcess, directory: string, urls: readonly string[]) {
    this.#child = child;
    this.#directory = directory;
    this.urls = urls;
  }

  /** `program`: the pipeline's main file. */
  static async start(
    { sources, ...more }: Omit<PipelineConfig, 'directory'>,
    program: 'pipeline-main' | 'publish-main' = 'pipeline-main',
  ): Promise<BarePipeline> {
    const directory = removeLater(mkdtempSync(join(tmpdir(), 'bare-')));
    const file = fileURLToPath(new URL(`./${program}${extname(import.meta.url)}`, import.meta.url));
    const child = endLater(fork(file, { detached: true }));
    child.send({ directory, sources, ...more } satisfies PipelineConfig);
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const urls = Array.from({ length: sources }, (_, source) => `http://127.0.0.1:${port}/${source}`);
    return new BarePipeline(child, directory, urls);
  }

  /** The leader of the group of all its processes. */
  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('The bare pipeline did not start');
    return this.#child.pid;
  }

  async end(): Promise<void> {
    this.#child.disconnect();
    await once(this.#child, 'exit');
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
