// Bundles a program and its packages into one text for an isolate, and reports imports that are missing or unavailable.
import { build } from 'esbuild';
import type { BuildFailure, Loader, Message, Metafile, OutputFile } from 'esbuild';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { ComponentError } from '../../../domain/component/output.ts';
import { readRecord } from '../trees/tree.ts';
import { isAvailableBuiltin, findUnknownName } from './imports/builtin-names.ts';
import { ComputedNames } from './imports/computed-names.ts';
import { Graph, packageOf } from './graph.ts';
import type { Import, ImportStep } from './graph.ts';
import { isGuarded } from './imports/guarded-imports.ts';
import { Jail } from './jail.ts';
import { NativeLoads, nativePackages } from './native-loads.ts';
import { bundleBytesMax } from './job.ts';
import type { BundleJob, BundleResult } from './job.ts';
import { footer, packageOptions, options, supportedIn, withDefaults } from './esbuild-options.ts';
import { defaultEntry, loaderOf, ProgramFiles } from './program-files.ts';
import { importPlugin, Resolution } from './resolution.ts';
import { findRefusals, refusalError } from './unavailable.ts';
import { parseSpecifier } from '../install/specifiers.ts';

const syntaxError = 'SyntaxError';
/** A file that is imported by a computed name can itself compute names, so bundling is repeated up to this often. */
const passesMax = 8;

/** esbuild's result with these options. */
interface BuildOutput {
  readonly outputFiles: readonly OutputFile[];
  readonly metafile: Metafile;
  readonly warnings: readonly Message[];
}

const noExport = /^No matching export in "(?:\w+:)?(.+)" for import "(.+)"$/;

/** Replaces esbuild's output format, which the author never sees, and paths of this machine. */
function rewordMessage(text: string): string {
  if (text.startsWith('Top-level await'))
    return 'Top-level await is not available to components: await in run, in a hook or in a method';
  const [, file, name] = noExport.exec(text) ?? [];
  if (file === undefined) return text;
  if (name !== 'default') return `${packagePathOf(file)} has no export named ${JSON.stringify(name)}`;
  return `${packagePathOf(file)} has no default export: import { name } or * as name from it`;
}

/** esbuild counts columns in bytes from 0; they are shown in characters from 1. */
function errorOf(message: Message | undefined): ComponentError {
  if (!message) return { name: syntaxError, message: 'The component could not be read' };
  const name = message.pluginName === importPlugin ? 'ImportError' : syntaxError;
  const { location } = message;
  const text = rewordMessage(message.text);
  if (!location) return { name, message: text };
  const file = location.file.replace(/^program:/, '');
  if (file === location.file) return { name: 'ImportError', message: `${packagePathOf(file)}: ${text}` };
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  const fullText = file === defaultEntry ? text : `${file}: ${text}`;
  return { name, message: fullText, line: location.line, column: before.length + 1 };
}

/** The path of a package's file in `node_modules`, not on this machine. */
const packagePathOf = (file: string): string => file.split('node_modules/').at(-1) ?? file;

function resultOf(output: BuildOutput): BundleResult {
  const text = (end: string): string => output.outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  // esbuild keeps a shebang line, which is valid only at the beginning of a file; as a comment it keeps positions.
  const js = withDefaults(text('.js')).replace(/^#!/, '//');
  const compiled = { js, map: text('.map').replaceAll('"program:', '"') };
  const bytes = Buffer.byteLength(compiled.js) + Buffer.byteLength(compiled.map);
  if (bytes <= bundleBytesMax) return { kind: 'compiled', compiled };
  const message = `Bundled, the component has ${bytes} bytes; at most ${bundleBytesMax} are taken: import less, such as one file of a package in place of all of it, or nest its blocks less deeply`;
  return { kind: 'refused', error: { name: 'CompileError', message } };
}

/** One bundling, with the data for judging its result. */
class BundleRun {
  readonly #job: BundleJob;
  readonly #files: ProgramFiles;
  readonly #loader: Loader;
  readonly #resolution: Resolution;
  readonly #jail: Jail | null;
  readonly #computed: ComputedNames;
  #loads = new NativeLoads([], new Set());

  constructor(job: BundleJob, files: ProgramFiles, loader: Loader, jail: Jail | null) {
    this.#job = job;
    this.#files = files;
    this.#loader = loader;
    this.#jail = jail;
    this.#computed = new ComputedNames((importer) => this.#filesWithin(importer));
    this.#resolution = new Resolution({ files, loader, tree: job.tree, jail, computed: this.#computed });
  }

  async run(pass = 1): Promise<BundleResult> {
    const { tree } = this.#job;
    try {
      const output = await build({
        ...options,
        footer,
        ...(tree === null ? {} : packageOptions),
        supported: supportedIn(this.#files.texts),
        absWorkingDir: tree?.folder ?? '/',
        entryPoints: [this.#files.entry],
        plugins: [this.#resolution.plugin],
      });
      return await this.#judge(output);
    } catch (failure) {
      const { errors } = failure as Partial<BuildFailure>;
      if (!errors) throw failure;
      if (this.#resolution.isDamaged) return { kind: 'damaged' };
      if (pass < passesMax && this.#computed.learn(errors)) return this.run(pass + 1);
      return { kind: 'refused', error: errorOf(errors[0]) };
    }
  }

  async #judge(output: BuildOutput): Promise<BundleResult> {
    const { needed } = this.#resolution;
    if (needed.size > 0) return { kind: 'needs', specifiers: [...needed] };
    const unknown = await this.#findUnknownName(output.metafile);
    if (unknown !== undefined) return { kind: 'refused', error: errorOf(unknown) };
    if (this.#job.tree === null) return resultOf(output);
    this.#loads = new NativeLoads(output.warnings, nativePackages(this.#jail?.files ?? []));
    const graph = new Graph(output.metafile, `program:${this.#files.entry}`, (file) => this.#loads.importsOf(file));
    const undeclared = await this.#findUndeclared(graph);
    if (undeclared.length > 0) return { kind: 'needs', specifiers: undeclared };
    const lostImport = await this.#findLostImport(graph);
    if (lostImport !== undefined) return { kind: 'refused', error: { name: 'ImportError', message: lostImport } };
    for (const refusal of findRefusals(graph, (file) => this.#textOf(file) ?? '')) {
      if (!(await this.#isOptional(refusal.chain))) return { kind: 'refused', error: refusalError(graph, refusal) };
    }
    return resultOf(output);
  }

  /** The first import of an unknown name in the author's own files; files of packages are not checked. */
  async #findUnknownName({ inputs }: Metafile): Promise<Message | undefined> {
    for (const [file, { imports }] of Object.entries(inputs)) {
      const own = file.replace(/^program:/, '');
      if (own === file || !imports.some(({ kind, path }) => kind === 'import-statement' && isAvailableBuiltin(path)))
        continue;
      const loader = own === this.#files.entry ? this.#loader : (loaderOf(own) ?? 'js');
      const unknown = await findUnknownName(this.#files.text(own) ?? '', loader, file);
      if (unknown !== undefined) return { ...unknown, pluginName: importPlugin };
    }
    return undefined;
  }

  /** Packages that a package requires without declaring them in its package.json. */
  async #findUndeclared(graph: Graph): Promise<readonly string[]> {
    const names = new Set<string>();
    for (const file of graph.files) {
      for (const one of packageOf(file) === '' ? [] : graph.importsOf(file)) {
        const name = this.#undeclaredNameOf(one);
        if (name !== undefined && !names.has(name) && !(await this.#isGuarded(file, one))) names.add(name);
      }
    }
    return [...names];
  }

  #undeclaredNameOf({ isExternal, specifier }: Import): string | undefined {
    const { tree } = this.#job;
    if (!isExternal || isBuiltin(specifier) || tree === null) return undefined;
    return /^[./#]/.test(specifier) ? undefined : parseSpecifier(specifier)?.name;
  }

  /** The error of the first required import of a file that does not exist. */
  async #findLostImport(graph: Graph): Promise<string | undefined> {
    for (const file of graph.files) {
      for (const one of packageOf(file) === '' ? [] : graph.importsOf(file)) {
        const { isExternal, specifier, kind } = one;
        if (!isExternal || kind === 'require-resolve' || specifier.endsWith('.node')) continue;
        if (!/^(?:[./#]|file:)/.test(specifier) || (await this.#isGuarded(file, one))) continue;
        return `${packagePathOf(file)}: Could not resolve ${JSON.stringify(specifier)}, or it is a file outside of the packages`;
      }
    }
    return undefined;
  }

  /** The author's files, or the files of the package that `file` belongs to. */
  #filesWithin(file: string): readonly string[] {
    const folder = packageOf(file);
    if (folder === '') return this.#files.paths;
    return (this.#jail?.files ?? []).filter((one) => packageOf(one) === folder);
  }

  #textOf(file: string): string | undefined {
    const own = file.replace(/^program:/, '');
    const text =
      own === file ? this.#jail?.read(join(this.#job.tree?.folder ?? '/', file))?.toString() : this.#files.text(own);
    return text === undefined ? undefined : this.#computed.rewrite(file, text);
  }

  async #isOptional(chain: readonly ImportStep[]): Promise<boolean> {
    for (const step of chain) if (await this.#isGuarded(step.importer, step)) return true;
    return false;
  }

  async #isGuarded(file: string, { kind, specifier }: Import): Promise<boolean> {
    if (kind === 'import-statement') return false;
    const own = file.replace(/^program:/, '');
    const text = this.#textOf(file);
    return text !== undefined && isGuarded(this.#loads.withImports(file, text), loaderOf(own) ?? 'js', specifier);
  }
}

/**
 * The language of a program of one text is unknown. It is tried as TypeScript only if it is not JavaScript; if it is
 * neither, the error is that of the language that was parsed further. Rejects if esbuild itself has ended.
 */
export async function bundle(job: BundleJob): Promise<BundleResult> {
  const { tree, program } = job;
  const record = tree === null ? undefined : await readRecord(tree.folder);
  if (tree !== null && record === undefined) return { kind: 'damaged' };
  const jail = tree === null || record === undefined ? null : new Jail(tree.folder, record);
  const files = new ProgramFiles(program);
  const bundleAs = (loader: Loader): Promise<BundleResult> => new BundleRun(job, files, loader, jail).run();
  const declaredLoader = program.entry === undefined ? undefined : loaderOf(files.entry);
  if (declaredLoader !== undefined && declaredLoader !== 'js') return bundleAs(declaredLoader);
  const asScript = await bundleAs('js');
  if (asScript.kind !== 'refused' || asScript.error.name !== syntaxError) return asScript;
  const asTypeScript = await bundleAs('ts');
  return asTypeScript.kind !== 'refused' || isFurther(asTypeScript.error, asScript.error) ? asTypeScript : asScript;
}

/** Without a syntax error the code was parsed to its end, which is furthest. */
function isFurther(one: ComponentError, other: ComponentError): boolean {
  if (one.name !== syntaxError) return true;
  const lines = (one.line ?? 0) - (other.line ?? 0);
  return lines > 0 || (lines === 0 && (one.column ?? 0) > (other.column ?? 0));
}
