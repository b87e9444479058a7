// Which code a command means: a file here, a URL, or a component that is saved.
import { readFile } from 'node:fs/promises';
import { statSync } from 'node:fs';
import type { SaveRequest } from '../../../libs/client/index.ts';
import { usageFailure } from '../program/failure.ts';

export interface Code extends SaveRequest {
  /** Id or key of a saved component. */
  readonly component_id?: string;
}

const looksLikeFile = (text: string): boolean => /\.[cm]?[jt]s$/.test(text) || /^[./~]/.test(text);

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

export async function codeOf(named: string): Promise<Code> {
  if (/^https?:\/\//.test(named)) return { component_url: named };
  if (looksLikeFile(named) || isFile(named)) return { component_code: checkedCode(await readCode(named), named) };
  return { component_id: named };
}

/** Throws a Failure where there is nothing to read. */
export async function readCode(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw usageFailure(isMissing ? `There is no file ${path}.` : `${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Throws a Failure when the service could not make a component of it. */
export function checkedCode(code: string, path: string): string {
  const imported = localImport(code);
  if (imported === undefined) return code;
  throw usageFailure(
    `${path} imports the file "${imported}", and a component is one file.`,
    `Bundle it first: npx esbuild ${path} --bundle --format=esm --platform=node --outfile=bundled.mjs`,
  );
}

/** Only at the start of a line, as people write them: text that merely looks like one must not stop a deploy. */
export function localImport(code: string): string | undefined {
  const statement = /^\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"](\.\.?\/[^'"]*)['"]/m;
  const call = /^\s*(?:const|let|var)\s[^=;]*=\s*(?:await\s+import|require)\(\s*['"](\.\.?\/[^'"]*)['"]/m;
  return (statement.exec(code) ?? call.exec(code))?.[1];
}
