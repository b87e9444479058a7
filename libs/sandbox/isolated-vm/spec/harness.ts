// Shared by the specs of this adapter: one snapshot on disk, and helpers that invoke a component in one line.
import { fileURLToPath } from 'node:url';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { bundle } from '../../../packages/npm/bundling/bundle.ts';
import type { Bundle } from '../../../packages/packages.ts';
import type {
  DescribeOptions,
  DescribeOutcome,
  HttpResponse,
  Invocation,
  InvocationOutcome,
  Sandbox,
} from '../../sandbox.ts';

/** Kept between runs, because the file's name changes with its content. */
export const cacheDir = fileURLToPath(new URL('../../../../.cache/sandbox', import.meta.url));

/** A component's bundle; throws if it cannot be built. */
export async function bundleOf(code: string): Promise<Bundle> {
  const result = await bundle({ program: { code }, tree: null });
  if (result.kind !== 'compiled') throw new Error(result.kind === 'refused' ? result.error.message : result.kind);
  return result.compiled;
}

/** Builds and describes a component, as the product does. */
export async function describeCode(
  sandbox: Sandbox,
  code: string,
  options: DescribeOptions = {},
): Promise<DescribeOutcome> {
  const result = await bundle({ program: { code }, tree: null });
  if (result.kind === 'refused') return { kind: 'invalid', error: result.error, console: [] };
  if (result.kind !== 'compiled') throw new Error(`It ${result.kind} packages`);
  return sandbox.describe(result.compiled, options);
}

export interface InvokeOptions {
  readonly sourceId?: string;
  readonly what?: Invocation['what'];
  readonly event?: Json;
  readonly isHttp?: boolean;
  readonly onlyBody?: boolean;
  readonly secrets?: readonly string[];
  readonly props?: JsonObject;
  readonly addedProps?: Readonly<Record<string, string>>;
  readonly runTimeoutMs?: number;
  readonly memoryMb?: number;
  readonly onRespond?: (response: HttpResponse) => void;
}

export const invoke = (sandbox: Sandbox, code: string, options: InvokeOptions = {}): Promise<InvocationOutcome> =>
  sandbox.invoke({
    sourceId: options.sourceId ?? `dc_${code.length}_${code.slice(-40)}`,
    revision: 1,
    bundle: () => bundleOf(code),
    what: options.what ?? 'run',
    event: options.event ?? {},
    isHttp: options.isHttp ?? false,
    onlyBody: options.onlyBody ?? false,
    props: options.props ?? {},
    addedProps: options.addedProps ?? {},
    secrets: options.secrets ?? [],
    db: () => ({}),
    onRespond: options.onRespond ?? (() => {}),
    ...(options.runTimeoutMs === undefined ? {} : { runTimeoutMs: options.runTimeoutMs }),
    ...(options.memoryMb === undefined ? {} : { memoryMb: options.memoryMb }),
  });

/** The code of a source whose `run` has this body, with the props db and http. */
export const source = (body: string, before = ''): string => `${before}module.exports = { name: 'a', version: '1',
  props: { db: '$.service.db', http: { type: '$.interface.http', customResponse: true } },
  async run(event) { ${body} } }`;

/** The value that the body returns, as one emitted event. */
export async function valueOf(sandbox: Sandbox, body: string): Promise<Json | undefined> {
  const code = source(`this.$emit((() => { ${body} })())`);
  const { end, error, emits } = await invoke(sandbox, code, { sourceId: 'dc_value' + body });
  if (end !== 'finished') throw new Error(`${end}: ${error?.stack ?? error?.message}`);
  return emits[0]?.event;
}
