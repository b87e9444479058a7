// A fake of the packages port: a program's bundle is its own text, unless a test has set another outcome.
import { Packages } from './packages.ts';
import type { Bundle, BuildOptions, BuildOutcome, Built, ComponentsOutcome, Program } from './packages.ts';

const closedOutcome: Exclude<BuildOutcome, Built> = {
  kind: 'failed',
  error: { name: 'CompileError', message: 'It has been closed' },
  again: true,
};

/** A source map without mappings. */
export const emptyMap = '{"version":3,"sources":[],"names":[],"mappings":""}';

/** A bundle for FakeSandbox, which finds its components by this text. */
export const fakeBundle = (code: string): Bundle => ({ js: code, map: emptyMap });

export class FakePackages extends Packages {
  /** By the text of the entry file. */
  readonly outcomes: Map<string, BuildOutcome>;
  /** By the name of the package. */
  readonly registry = new Map<string, ComponentsOutcome>();
  /** All builds, in order. */
  readonly builds: { readonly program: Program; readonly options: BuildOptions }[] = [];
  #isClosed = false;

  constructor(outcomes: Map<string, BuildOutcome> = new Map()) {
    super();
    this.outcomes = outcomes;
  }

  override async build(program: Program, options: BuildOptions = {}): Promise<BuildOutcome> {
    if (this.#isClosed) return closedOutcome;
    this.builds.push({ program, options });
    const { code } = program;
    return this.outcomes.get(code) ?? { kind: 'built', bundle: fakeBundle(code), lock: null, packages: [] };
  }

  override async components(name: string): Promise<ComponentsOutcome> {
    if (this.#isClosed) return closedOutcome;
    const error = { name: 'PackageError', message: `The registry has no package for ${name}` };
    return this.registry.get(name) ?? { kind: 'refused', error };
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
  }
}
