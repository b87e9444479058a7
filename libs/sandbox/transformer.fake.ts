// A transformer for specs, which runs transforms in this process and without limits.
import { types } from 'node:util';
import { Script, createContext } from 'node:vm';
import {
  expressionOf,
  failedTransform,
  judgeTransform,
  type TransformError,
  type Transformed,
  withinExpression,
} from '../domain/delivery/transform/transform.ts';
import { Transformer, type TransformCall, type TransformText } from './transformer.ts';

type Given = (event: unknown, metadata: unknown) => { readonly body?: unknown; readonly headers?: unknown } | null;

export class FakeTransformer extends Transformer {
  /** All calls, in order. */
  readonly calls: TransformCall[] = [];

  override async check({ text }: TransformText): Promise<TransformError | undefined> {
    const given = functionOf(text);
    return typeof given === 'function' ? undefined : given;
  }

  override async transform(call: TransformCall): Promise<Transformed> {
    this.calls.push(call);
    const given = functionOf(call.text);
    if (typeof given !== 'function') return { kind: 'failed', error: given };
    try {
      const result = given(JSON.parse(call.event), call.metadata);
      if (result === null) return { kind: 'dropped' };
      if (typeof result !== 'object' || 'then' in result || Object.keys(result).some((name) => !known.has(name)))
        return failedTransform('It must return { body, headers } or null');
      return judgeTransform(textOf(result.body), textOf(result.headers));
    } catch (error) {
      return { kind: 'failed', error: described(error) };
    }
  }

  override async close(): Promise<void> {}
}

const known: ReadonlySet<string> = new Set(['body', 'headers']);
const textOf = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));

const functions = new Map<string, Given | TransformError>();

function functionOf(text: string): Given | TransformError {
  const known = functions.get(text) ?? made(text);
  functions.set(text, known);
  return known;
}

function made(text: string): Given | TransformError {
  try {
    const script = new Script(`(\n${expressionOf(text)}\n)`, { filename: 'transform', lineOffset: -1 });
    const given: unknown = script.runInContext(createContext());
    const why = unfit(given);
    return why === undefined ? (given as Given) : { message: why, ...nowhere };
  } catch (error) {
    return withinExpression(expressionOf(text), described(error));
  }
}

function unfit(given: unknown): string | undefined {
  if (typeof given !== 'function') return 'It must be a function';
  if (types.isAsyncFunction(given)) return 'It must not be async';
  if (types.isGeneratorFunction(given)) return 'It must not be a generator';
  return /^class[\s{]/.test(String(given)) ? 'It must be a function, not a class' : undefined;
}

const nowhere = { line: null, column: null };

function described(error: unknown): TransformError {
  const { name, message, stack = '' } = error as Error;
  const [, line, column] = /transform:(\d+)(?::(\d+))?/.exec(stack) ?? [];
  const [, marks = ''] = /\n( *)\^/.exec(stack) ?? [];
  const at = line === undefined ? nowhere : { line: Number(line), column: Number(column ?? marks.length + 1) };
  return { message: `${name}: ${message}`, ...at };
}
