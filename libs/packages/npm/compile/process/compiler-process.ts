// Starts one compiler process, with its limits.
import { fileURLToPath } from 'node:url';
import { programUrl } from '../../../../primitives/files/program-file.ts';
import { JobProcess } from '../../../../primitives/worker-pool/job-process.ts';
import type { BundleJob, BundleResult } from '../../bundling/job.ts';

export interface CompilerLimits {
  /** For one compile. The largest component of one text takes 0.5 s; nested functions or labels can take minutes. */
  readonly timeMs: number;
  /**
   * Private memory of each of the two processes, in KiB. Node reserves 512 MiB of it for code, which it never uses, and
   * runs within 600,000. esbuild's stack doubles as it grows; within this limit, 256 MiB is its last step.
   */
  readonly dataKiB: number;
  /** The heap of the Node process, which contains a component, its inputs and the result. */
  readonly heapMb: number;
  /** A compile that takes this long has used much memory, which esbuild keeps, so the next one has a new process. */
  readonly longMs: number;
}

export const compilerLimits: CompilerLimits = { timeMs: 10_000, dataKiB: 704 * 1024, heapMb: 96, longMs: 1_000 };

/** For components with packages: some thousand files with up to 200 MiB, most of which are not read. */
export const bundlerLimits: CompilerLimits = { timeMs: 60_000, dataKiB: 1_280 * 1024, heapMb: 320, longMs: 5_000 };

/** For esbuild: uses one thread, so that a compile takes one core; frees memory before its limit; prints no stack. */
const env = { GOMAXPROCS: '1', GOMEMLIMIT: '512MiB', GOTRACEBACK: 'none' };

const script = fileURLToPath(programUrl(import.meta.url, './main'));

/** It leads a process group, so that esbuild is killed with it. */
export class CompilerProcess extends JobProcess<BundleJob, BundleResult> {
  constructor({ heapMb, dataKiB, timeMs }: CompilerLimits = compilerLimits) {
    const args = [`--max-old-space-size=${heapMb}`, script];
    super({ args, dataKiB, timeMs, cwd: '/', env, leadsGroup: true });
  }
}
