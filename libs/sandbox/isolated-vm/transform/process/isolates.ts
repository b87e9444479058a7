// The warm isolates of a process of transforms: one for each subscription's text, which is evaluated anew for each event.
import {
  expressionOf,
  failedTransform,
  judgeTransform,
  transformMemoryMb,
  transformLater,
  transformMs,
  type TransformError,
  type Transformed,
  withinExpression,
} from '../../../../domain/delivery/transform/transform.ts';
import { sizes } from '../../../../domain/sizes.ts';
import { ivm } from '../../runner/isolate/isolated-vm.ts';
import type { ivmTypes } from '../../runner/isolate/isolated-vm.ts';
import type { ToTransforms } from '../transform-protocol.ts';
import { harness } from './harness.ts';

/** Each takes some 2 MB, and 16 at most. */
const isolatesMax = 100;
/** Above this the isolates that were not used for longest go: well below what the process may use. */
const rssMax = 256 * 1024 * 1024;
/** Where the machine is so busy that a call gets no processor, it is made again with more time: at most these. */
const wallMs = [transformMs, 4 * transformMs, 16 * transformMs] as const;
/** Of the limit: a call that is stopped after less was waiting for a processor. */
const enough = 0.8;
/** Until a call that got no processor is worth another try. */
const againMs = 1_000;
const file = 'transform';

interface Warm {
  readonly text: string;
  readonly isolate: ivmTypes.Isolate;
  readonly context: ivmTypes.Context;
  readonly script: ivmTypes.Script;
  readonly run: ivmTypes.Reference<() => unknown>;
}

interface Try {
  readonly key: string;
  readonly text: string;
  readonly on: ToTransforms['on'];
  readonly ms: number;
}

type Ran = Transformed | { readonly kind: 'compiled' };

const snapshot = ivm.Isolate.createSnapshot([{ code: harness }]);
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

export class TransformIsolates {
  /** The one used last comes last. */
  readonly #warm = new Map<string, Warm>();
  /** Called when something that cannot be stopped still runs. */
  readonly #catastrophe: () => void;

  constructor(catastrophe: () => void) {
    this.#catastrophe = catastrophe;
  }

  has(key: string): boolean {
    return this.#warm.has(key);
  }

  run({ key, on, ...given }: ToTransforms): { readonly result: Ran; readonly cpuMs: number } {
    const text = given.text ?? this.#warm.get(key)?.text ?? '';
    let spentMs = 0;
    for (const ms of wallMs) {
      const from = cpuMs();
      const tried = this.#try({ key, text, on, ms });
      // To make an isolate takes some milliseconds, which are not the transform's.
      spentMs = cpuMs() - from - tried.makingMs;
      if (tried.result !== undefined) return { result: tried.result, cpuMs: spentMs };
      if (spentMs >= transformMs * enough) break;
    }
    const late = `It took more than ${transformMs} ms`;
    const isSpent = spentMs >= transformMs * enough;
    return { result: isSpent ? failedTransform(late) : transformLater(late, againMs), cpuMs: spentMs };
  }

  /** Without a result when it took longer than it may. */
  #try({ key, text, on, ms }: Try): { readonly result?: Ran; readonly makingMs: number } {
    const from = cpuMs();
    let makingMs = 0;
    try {
      const warm = this.#isolateOf(key, text);
      makingMs = cpuMs() - from;
      const result = this.#once(warm, on, ms);
      this.#shrink();
      return { result, makingMs };
    } catch (error) {
      if (this.#drop(key)) return { result: failedTransform(`It used more than ${transformMemoryMb} MiB`), makingMs };
      const { message } = error as Error;
      if (message.startsWith('Script execution timed out')) return { makingMs };
      return {
        result: { kind: 'failed', error: withinExpression(expressionOf(text), placed(message, message)) },
        makingMs,
      };
    }
  }

  /** Throws the error of the text, and what isolated-vm throws at a limit. */
  #once({ context, script, run }: Warm, on: ToTransforms['on'], timeout: number): Ran {
    const given = script.runSync(context, { reference: true, timeout }) as ivmTypes.Reference<unknown>;
    const args = [given.derefInto({ release: true }), on?.event, on?.metadata, sizes.emitBytes];
    return resultOf(run.applySync(undefined, args as [], { timeout, result: { copy: true } }));
  }

  #isolateOf(key: string, text: string): Warm {
    const known = this.#warm.get(key);
    this.#warm.delete(key);
    const warm = known ?? this.#make(text);
    this.#warm.set(key, warm);
    return warm;
  }

  /** Keeps the one used last. */
  #shrink(): void {
    const [oldest] = this.#warm.keys();
    const isMuch = this.#warm.size > isolatesMax || process.memoryUsage.rss() > rssMax;
    if (isMuch && this.#warm.size > 1 && oldest !== undefined) this.#drop(oldest);
  }

  #make(text: string): Warm {
    const options = { memoryLimit: transformMemoryMb, snapshot, onCatastrophicError: this.#catastrophe };
    const isolate = new ivm.Isolate(options);
    try {
      const place = { filename: file, lineOffset: -1 };
      const own = expressionOf(text);
      // What parses in one pair of parentheses and in two ends neither of them.
      isolate.compileScriptSync(`(\n${own}\n)`, place).release();
      const script = isolate.compileScriptSync(`(() => (\n${own}\n))`, place);
      const context = isolate.createContextSync();
      const begin = context.global.getSync('__begin', { reference: true }) as ivmTypes.Reference<() => () => unknown>;
      return { text, isolate, script, context, run: begin.applySync(undefined, [], { result: { reference: true } }) };
    } catch (error) {
      isolate.dispose();
      throw error;
    }
  }

  /** Whether V8 had disposed it. */
  #drop(key: string): boolean {
    const isolate = this.#warm.get(key)?.isolate;
    this.#warm.delete(key);
    const isGone = isolate?.isDisposed === true;
    if (isolate !== undefined && !isGone) isolate.dispose();
    return isGone;
  }
}

function resultOf(said: unknown): Ran {
  if (!Array.isArray(said) || said.some((part) => typeof part !== 'string'))
    return failedTransform('It returned what cannot be read');
  const [kind, first = '', second = ''] = said as string[];
  if (kind === 'compiled' || kind === 'dropped') return { kind };
  return kind === 'sent' ? judgeTransform(first, second) : { kind: 'failed', error: placed(first, second) };
}

/** The first place in the transform's own text. */
function placed(message: string, stack: string): TransformError {
  const [, line, column] = /transform:(\d{1,9}):(\d{1,9})/.exec(stack) ?? [];
  const at = line === undefined ? { line: null, column: null } : { line: Number(line), column: Number(column) };
  return { message: message.replace(/ \[transform:\d+:\d+\]$/, ''), ...at };
}
