// What npm's cache may write in one install: a registry's compressed answers are far larger on the disk.
import { WriteStream } from './npm.ts';

/** For the rest of this process's life. Calls `exceeded` at each write beyond `bytesMax`, which writes nothing. */
export function guardWrites(bytesMax: number, exceeded: () => void): void {
  const { prototype } = WriteStream;
  const { write } = prototype;
  let bytes = 0;
  prototype.write = function (chunk, ...rest): boolean {
    bytes += Buffer.byteLength(chunk);
    if (bytes <= bytesMax) return write.call(this, chunk, ...rest);
    exceeded();
    return false;
  };
}
