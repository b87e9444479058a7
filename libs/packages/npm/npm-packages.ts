// Builds programs with packages from an npm registry, in processes that may die of it.
import { Packages } from '../packages.ts';
import type { BuildOptions, BuildOutcome, Program } from '../packages.ts';
import { Compiler } from './compile/compile.ts';

export interface NpmPackagesOptions {
  /** For what was built; created if needed, and shared by every process that has this directory. */
  readonly cacheDir: string;
  /** Called with a sentence: a process died. */
  readonly onTrouble?: (what: string) => void;
}

const closed: BuildOutcome = {
  kind: 'failed',
  error: { name: 'CompileError', message: 'The service is being stopped; try again' },
  again: true,
};

export class NpmPackages extends Packages {
  readonly #compiler: Compiler;
  #isClosed = false;

  constructor(options: NpmPackagesOptions) {
    super();
    this.#compiler = new Compiler(options);
  }

  /** The compilers, to measure or to kill: each leads a process group, with esbuild in it. */
  get processIds(): readonly number[] {
    return this.#compiler.processIds;
  }

  override async build({ code }: Program, { workspace = '' }: BuildOptions = {}): Promise<BuildOutcome> {
    if (this.#isClosed) return closed;
    const compilation = await this.#compiler.compile(code, workspace);
    if (compilation.kind !== 'compiled') return compilation;
    return { kind: 'built', bundle: compilation.compiled, lock: null, packages: [] };
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    this.#compiler.close();
  }
}
