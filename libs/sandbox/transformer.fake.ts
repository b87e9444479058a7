// A transformer for specs, which runs transforms in this process and without limits.
import { types } from 'node:util';
import { Script, createContext } from 'node:vm';
import {
  expressionOf,
  failedTransform,
  readTransformResult,
  type TransformError,
  type TransformOutcome,
  withinExpression,
} from '../domain/delivery/transform/transform.ts';
import { Transformer, type TransformCall, type TransformText } from './transformer.ts';

type TransformFunction = (
  event: unknown,
  metadata: unknown,
) => { readonly body?: unknown; readonly headers?: unknown } | null;

export class FakeTransformer extends Transformer {
  /** All calls, in order. */
  readonly calls: TransformCall[] = [];

  override async check({ text }: TransformText): Promise<TransformError | undefined> {
    const transform = functionOf(text);
    return typeof transform === 'function' ? undefined : transform;
  }

  override async transform(call: TransformCall): Promise<TransformOutcome> {
    this.calls.push(call);
    const transform = functionOf(call.text);
    if (typeof transform !== 'function') return { kind: 'failed', error: transform };
    try {
      const result = transform(JSON.parse(call.event), call.metadata);
      if (result === null) return { kind: 'dropped' };
      if (typeof result !== 'object' || 'then' in result || Object.keys(result).some((name) => !resultFields.has(name)))
        return failedTransform('It must return { body, headers } or null');
      return readTransformResult(textOf(result.body), textOf(result.headers));
    } catch (error) {
      return { kind: 'failed', error: describeError(error) };
    }
  }

  override async close(): Promise<void> {}
}

const resultFields: ReadonlySet<string> = new Set(['body', 'headers']);
const textOf = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));

const compiledFunctions = new Map<string, TransformFunction | TransformError>();

function functionOf(text: string): TransformFunction | TransformError {
  const compiled = compiledFunctions.get(text) ?? compile(text);
  compiledFunctions.set(text, compiled);
  return compiled;
}

function compile(text: string): TransformFunction | TransformError {
  try {
    const script = new Script(`(\n${expressionOf(text)}\n)`, { filename: 'transform', lineOffset: -1 });
    const transform: unknown = script.runInContext(createContext());
    const why = rejectReason(transform);
    return why === undefined ? (transform as TransformFunction) : { message: why, ...noPosition };
  } catch (error) {
    return withinExpression(expressionOf(text), describeError(error));
  }
}

function rejectReason(transform: unknown): string | undefined {
  if (typeof transform !== 'function') return 'It must be a function';
  if (types.isAsyncFunction(transform)) return 'It must not be async';
  if (types.isGeneratorFunction(transform)) return 'It must not be a generator';
  return /^class[\s{]/.test(String(transform)) ? 'It must be a function, not a class' : undefined;
}

const noPosition = { line: null, column: null };

function describeError(error: unknown): TransformError {
  const { name, message, stack = '' } = error as Error;
  const [, line, column] = /transform:(\d+)(?::(\d+))?/.exec(stack) ?? [];
  const [, marks = ''] = /\n( *)\^/.exec(stack) ?? [];
  const at = line === undefined ? noPosition : { line: Number(line), column: Number(column ?? marks.length + 1) };
  return { message: `${name}: ${message}`, ...at };
}
