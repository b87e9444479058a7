// Runs the same code in a component and in Node, to compare the results.
import { createRequire } from 'node:module';
import type { Json } from '../../../../domain/json.ts';
import type { Sandbox } from '../../../sandbox.ts';
import { invoke, source } from '../harness.ts';

const require = createRequire(import.meta.url);
const AsyncFunction = (async () => {}).constructor as new (...text: string[]) => (r: unknown) => Promise<unknown>;

/** `tried` returns a call's result or error. */
const helpers = `const shown = (value) => ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? Buffer.from(value).toString('hex') : value;
  const tried = async (call) => { try { return shown(await call()); } catch (e) { return [e.name, e.code ?? null]; } };\n`;

export const inNode = async (body: string): Promise<unknown> =>
  JSON.parse(JSON.stringify((await new AsyncFunction('require', helpers + body)(require)) ?? null));

export async function inComponent(sandbox: Sandbox, body: string): Promise<Json | undefined> {
  const code = source(`this.$emit(await (async () => { ${helpers} ${body} })())`);
  const { end, error, emits } = await invoke(sandbox, code, { sourceId: `dc_work${body}` });
  if (end !== 'finished') throw new Error(`${end}: ${error?.stack ?? error?.message}`);
  return emits[0]?.event;
}
