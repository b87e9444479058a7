// The packages that the service brings along, each as one text: the same on every machine, and made once for a process.
import { build } from 'esbuild';
import { providedEntries } from '../../platform/provided.ts';
import { options } from './esbuild-options.ts';

const texts = new Map<string, Promise<string>>();

/** By the name that components import. */
export const isOfService = (name: string): boolean => Object.hasOwn(providedEntries, name);

async function textOf(entry: string): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [entry],
    // A module still, of which a component takes what it imports.
    format: 'esm',
    sourcemap: false,
    metafile: false,
    minifyWhitespace: true,
    keepNames: true,
  });
  return outputFiles[0]?.text ?? '';
}

/** Rejects when a file of the service is missing, which no component is to blame for. */
export function serviceText(name: string): Promise<string> {
  const entry = providedEntries[name] ?? '';
  const known = texts.get(entry) ?? textOf(entry);
  texts.set(entry, known);
  return known;
}
