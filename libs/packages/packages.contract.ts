// The contract suite of the packages port, for the real builder and the fake.
import type { BuildOutcome, Packages, Program } from './packages.ts';

/** A program, and the fake's outcome for it. */
export interface ContractProgram {
  readonly program: Program;
  readonly scripted: BuildOutcome;
}

/** `programs`: all that the suite builds. The suite closes the ports that it opened. */
export type OpenPackages = (programs: readonly ContractProgram[]) => Promise<Packages>;

const commonJs: ContractProgram = {
  program: { code: 'module.exports = { name: "Common", version: "1" };' },
  scripted: {
    kind: 'built',
    bundle: { js: 'module.exports = { name: "Common", version: "1" };', map: '{"version":3}' },
    lock: null,
    packages: [],
  },
};

const typeScript: ContractProgram = {
  program: { code: 'const name: string = "Typed";\nexport default { name, version: "1" };' },
  scripted: {
    kind: 'built',
    bundle: { js: 'module.exports = { default: { name: "Typed", version: "1" } };', map: '{"version":3}' },
    lock: null,
    packages: [],
  },
};

const broken: ContractProgram = {
  program: { code: 'module.exports = {\n  name: ' },
  scripted: { kind: 'refused', error: { name: 'SyntaxError', message: 'Unexpected end', line: 2, column: 9 } },
};

/** The builder's suite serves this package from a registry of its own, in versions 1.2.0 and 2.0.0. */
const packaged: ContractProgram = {
  program: { code: 'import left from "left@^1"; export default { name: left, version: "1" };' },
  scripted: {
    kind: 'built',
    bundle: { js: 'module.exports = { default: { name: "left 1", version: "1" } };', map: '{"version":3}' },
    lock: '{"packages":{"node_modules/left":{"version":"1.2.0"}}}',
    packages: [{ name: 'left', version: '1.2.0' }],
  },
};

const unknown: ContractProgram = {
  program: { code: 'import right from "right@^4"; export default right;' },
  scripted: { kind: 'refused', error: { name: 'ImportError', message: 'There is no package right@^4' } },
};

/** Evaluates a bundle as an isolate would. */
function exportsOf({ js }: { readonly js: string }): unknown {
  const module = { exports: {} as unknown };
  new Function('module', 'exports', js)(module, module.exports);
  const { default: inner = module.exports } = module.exports as { readonly default?: unknown };
  return inner;
}

export function describePackages(name: string, open: OpenPackages): void {
  describe(name, () => {
    const programs = [commonJs, typeScript, broken, packaged, unknown];
    let packages: Packages;
    beforeAll(async () => (packages = await open(programs)));
    afterAll(() => packages.close());

    it.each([
      ['CommonJS', commonJs, { name: 'Common', version: '1' }],
      ['a module in TypeScript', typeScript, { name: 'Typed', version: '1' }],
    ])('builds %s into CommonJS with a source map, and needs no lock for it', async (_what, { program }, exported) => {
      const outcome = await packages.build(program, { workspace: 'o_1' });
      expect(outcome).toMatchObject({ kind: 'built', lock: null, packages: [] });
      if (outcome.kind !== 'built') throw new Error(outcome.error.message);
      expect(exportsOf(outcome.bundle)).toEqual(exported);
      expect(JSON.parse(outcome.bundle.map)).toMatchObject({ version: 3 });
    });

    it('gives the same bundle for the same program', async () => {
      const [first, second] = [await packages.build(commonJs.program), await packages.build(commonJs.program)];
      expect(second).toEqual(first);
    });

    it('bundles packages and lists them; the lock gives the same bundle again', async () => {
      const first = await packages.build(packaged.program, { workspace: 'o_1' });
      expect(first).toMatchObject({ kind: 'built', packages: [{ name: 'left', version: '1.2.0' }] });
      if (first.kind !== 'built' || first.lock === null) throw new Error('It has no lock');
      expect(exportsOf(first.bundle)).toEqual({ name: 'left 1', version: '1' });
      expect(await packages.build(packaged.program, { lock: first.lock })).toEqual(first);
    });

    it('refuses a package that does not exist, and names it with its range', async () => {
      const error = { name: 'ImportError', message: expect.stringContaining('right@^4') as string };
      expect(await packages.build(unknown.program)).toMatchObject({ kind: 'refused', error });
    });

    it('refuses what does not parse, and names the line', async () => {
      const error = { name: 'SyntaxError', line: 2 };
      expect(await packages.build(broken.program)).toMatchObject({ kind: 'refused', error });
    });

    it('builds nothing once it is closed', async () => {
      const closed = await open(programs);
      await closed.close();
      expect(await closed.build(typeScript.program)).toMatchObject({ kind: 'failed', again: true });
    });
  });
}
