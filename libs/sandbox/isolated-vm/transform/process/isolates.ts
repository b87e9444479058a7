// Keeps the warm isolates of a process of transforms: one for each subscription's text, evaluated anew for each event.
import {
  expressionOf,
  failedTransform,
  readTransformResult,
  transformMemoryMb,
  retryTransform,
  transformTimeoutMs,
  type TransformError,
  type TransformOutcome,
  withinExpression,
} from '../../../../domain/delivery/transform/transform.ts';
import { sizes } from '../../../../domain/sizes.ts';
import { ivm } from '../../runner/isolate/isolated-vm.ts';
import type { ivmTypes } from '../../runner/isolate/isolated-vm.ts';
import type { ToTransforms } from '../transform-protocol.ts';
import { harness } from './harness.ts';

/** Each takes some 2 MB, at most 16 MB. */
const isolatesMax = 100;
/** Above this, least recently used isolates are disposed; well below the limit of the process. */
const rssMax = 256 * 1024 * 1024;
/** Timeouts of a call and its repetitions, which happen if a busy machine gave the call no processor time. */
const wallMs = [transformTimeoutMs, 4 * transformTimeoutMs, 16 * transformTimeoutMs] as const;
/** Part of the limit; a call that was stopped with less processor time was waiting for a processor. */
const spentShareMin = 0.8;
/** Delay before the retry of a call that received no processor time. */
const retryDelayMs = 1_000;
const file = 'transform';

interface WarmIsolate {
  readonly text: string;
  readonly isolate: ivmTypes.Isolate;
  readonly context: ivmTypes.Context;
  readonly script: ivmTypes.Script;
  readonly run: ivmTypes.Reference<() => unknown>;
}

interface Attempt {
  readonly key: string;
  readonly text: string;
  readonly on: ToTransforms['on'];
  readonly ms: number;
}

type RunResult = TransformOutcome | { readonly kind: 'compiled' };

const snapshot = ivm.Isolate.createSnapshot([{ code: harness }]);
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

export class TransformIsolates {
  /** The most recently used is last. */
  readonly #warm = new Map<string, WarmIsolate>();
  /** Called if code that cannot be stopped still runs. */
  readonly #onCatastrophe: () => void;

  constructor(onCatastrophe: () => void) {
    this.#onCatastrophe = onCatastrophe;
  }

  has(key: string): boolean {
    return this.#warm.has(key);
  }

  run({ key, on, ...order }: ToTransforms): { readonly result: RunResult; readonly cpuMs: number } {
    const text = order.text ?? this.#warm.get(key)?.text ?? '';
    let spentMs = 0;
    for (const ms of wallMs) {
      const from = cpuMs();
      const attempt = this.#attempt({ key, text, on, ms });
      // Making an isolate takes some milliseconds, which are not charged to the transform.
      spentMs = cpuMs() - from - attempt.makingMs;
      if (attempt.result !== undefined) return { result: attempt.result, cpuMs: spentMs };
      if (spentMs >= transformTimeoutMs * spentShareMin) break;
    }
    const message = `It took more than ${transformTimeoutMs} ms`;
    const isSpent = spentMs >= transformTimeoutMs * spentShareMin;
    return { result: isSpent ? failedTransform(message) : retryTransform(message, retryDelayMs), cpuMs: spentMs };
  }

  /** Has no `result` if the call took too long. */
  #attempt({ key, text, on, ms }: Attempt): { readonly result?: RunResult; readonly makingMs: number } {
    const from = cpuMs();
    let makingMs = 0;
    try {
      const warm = this.#isolateOf(key, text);
      makingMs = cpuMs() - from;
      const result = this.#runOnce(warm, on, ms);
      this.#shrink();
      return { result, makingMs };
    } catch (error) {
      if (this.#drop(key)) return { result: failedTransform(`It used more than ${transformMemoryMb} MiB`), makingMs };
      const { message } = error as Error;
      if (message.startsWith('Script execution timed out')) return { makingMs };
      return {
        result: { kind: 'failed', error: withinExpression(expressionOf(text), withPosition(message, message)) },
        makingMs,
      };
    }
  }

  /** Throws errors of the text, and those of isolated-vm at a limit. */
  #runOnce({ context, script, run }: WarmIsolate, on: ToTransforms['on'], timeout: number): RunResult {
    const transform = script.runSync(context, { reference: true, timeout }) as ivmTypes.Reference<unknown>;
    const args = [transform.derefInto({ release: true }), on?.event, on?.metadata, sizes.emitBytes];
    return resultOf(run.applySync(undefined, args as [], { timeout, result: { copy: true } }));
  }

  #isolateOf(key: string, text: string): WarmIsolate {
    const existing = this.#warm.get(key);
    this.#warm.delete(key);
    const warm = existing ?? this.#create(text);
    this.#warm.set(key, warm);
    return warm;
  }

  /** If isolates take too much room, disposes the least recently used one, unless it is the only one. */
  #shrink(): void {
    const [oldest] = this.#warm.keys();
    const isOverLimit = this.#warm.size > isolatesMax || process.memoryUsage.rss() > rssMax;
    if (isOverLimit && this.#warm.size > 1 && oldest !== undefined) this.#drop(oldest);
  }

  #create(text: string): WarmIsolate {
    const options = { memoryLimit: transformMemoryMb, snapshot, onCatastrophicError: this.#onCatastrophe };
    const isolate = new ivm.Isolate(options);
    try {
      const scriptOptions = { filename: file, lineOffset: -1 };
      const expression = expressionOf(text);
      // A text that parses in one pair of parentheses and in two cannot close either of them.
      isolate.compileScriptSync(`(\n${expression}\n)`, scriptOptions).release();
      const script = isolate.compileScriptSync(`(() => (\n${expression}\n))`, scriptOptions);
      const context = isolate.createContextSync();
      const begin = context.global.getSync('__begin', { reference: true }) as ivmTypes.Reference<() => () => unknown>;
      return { text, isolate, script, context, run: begin.applySync(undefined, [], { result: { reference: true } }) };
    } catch (error) {
      isolate.dispose();
      throw error;
    }
  }

  /** Disposes an isolate; returns whether V8 had done so already. */
  #drop(key: string): boolean {
    const isolate = this.#warm.get(key)?.isolate;
    this.#warm.delete(key);
    const wasDisposed = isolate?.isDisposed === true;
    if (isolate !== undefined && !wasDisposed) isolate.dispose();
    return wasDisposed;
  }
}

function resultOf(reply: unknown): RunResult {
  if (!Array.isArray(reply) || reply.some((part) => typeof part !== 'string'))
    return failedTransform('It returned what cannot be read');
  const [kind, first = '', second = ''] = reply as string[];
  if (kind === 'compiled' || kind === 'dropped') return { kind };
  return kind === 'sent' ? readTransformResult(first, second) : { kind: 'failed', error: withPosition(first, second) };
}

/** The error with its first position in the transform's own text. */
function withPosition(message: string, stack: string): TransformError {
  const [, line, column] = /transform:(\d{1,9}):(\d{1,9})/.exec(stack) ?? [];
  const position = line === undefined ? { line: null, column: null } : { line: Number(line), column: Number(column) };
  return { message: message.replace(/ \[transform:\d+:\d+\]$/, ''), ...position };
}
