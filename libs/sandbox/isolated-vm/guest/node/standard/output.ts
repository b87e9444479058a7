// process.stdout and stderr, whose text is printed as lines of the console.
import { TextDecoder } from '../../encoding/text-encoding.ts';
import { console } from '../../web/console.ts';

export interface Output {
  readonly fd: number;
  readonly write: (data: unknown, ...rest: readonly unknown[]) => boolean;
}

type Defer = (callback: () => unknown) => void;

const textOf = (data: unknown): string =>
  ArrayBuffer.isView(data) ? new TextDecoder().decode(data as Uint8Array) : String(data);

/** `defer` calls a callback in a later turn, as a stream does when the data is written. */
function createOutput(fd: number, print: (line: string) => void, defer: Defer): Output {
  const finish = (args: readonly unknown[]): void => {
    const done = args.findLast((arg) => typeof arg === 'function');
    if (done !== undefined) defer(done as () => unknown);
  };
  const write = (data: unknown, ...rest: readonly unknown[]): boolean => {
    print(textOf(data).replace(/\n$/, ''));
    finish(rest);
    return true;
  };
  const end = (...args: readonly unknown[]): void => {
    const [data, ...rest] = args;
    if (typeof data === 'string' || ArrayBuffer.isView(data)) write(data, ...rest);
    else finish(args);
  };
  const stream = {
    fd,
    write,
    end,
    isTTY: false,
    writable: true,
    columns: 80,
    hasColors: () => false,
    getColorDepth: () => 1,
    on: (): void => {},
    once: (): void => {},
    removeListener: (): void => {},
    emit: (): boolean => false,
  };
  return stream;
}

export const createOutputs = (defer: Defer): { readonly stdout: Output; readonly stderr: Output } => ({
  stdout: createOutput(1, (line) => console.log(line), defer),
  stderr: createOutput(2, (line) => console.error(line), defer),
});
