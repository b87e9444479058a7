// Bundles each package that the service provides into one text: the same on every machine, and once for each process.
import { build } from 'esbuild';
import { providedEntries } from '../../platform/provided.ts';
import { options } from './esbuild-options.ts';

const texts = new Map<string, Promise<string>>();

/** Whether the service provides the package that components import by this name. */
export const isServicePackage = (name: string): boolean => Object.hasOwn(providedEntries, name);

async function textOf(entry: string): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [entry],
    // Still a module, so that a component includes only what it imports.
    format: 'esm',
    sourcemap: false,
    metafile: false,
    minifyWhitespace: true,
    keepNames: true,
  });
  return outputFiles[0]?.text ?? '';
}

/** Rejects if a file of the service is missing, which is not a component's fault. */
export function serviceText(name: string): Promise<string> {
  const entry = providedEntries[name] ?? '';
  const text = texts.get(entry) ?? textOf(entry);
  texts.set(entry, text);
  return text;
}
