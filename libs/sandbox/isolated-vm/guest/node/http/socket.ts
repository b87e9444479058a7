// A stand-in for a socket: packages configure it, listen to it, set its idle timeout and destroy it.
import EventEmitter from 'events/events.js';
import { timerFunctions } from '../../core/timers.ts';
import { nextTick } from '../process.ts';

export class Socket extends EventEmitter {
  readonly encrypted = true;
  readonly authorized = true;
  readonly connecting = false;
  readonly remoteAddress = undefined;
  readonly remotePort = undefined;
  readonly bytesRead = 0;
  readonly bytesWritten = 0;
  readable = true;
  writable = true;
  destroyed = false;
  /** Milliseconds; 0: no timeout. */
  timeout = 0;
  readonly #end: (error?: Error) => void;
  #timer: unknown;

  /** `end` ends the request. */
  constructor(end: (error?: Error) => void) {
    super();
    this.#end = end;
  }

  /** Emits `timeout` after this long without traffic, and again only after new traffic. */
  setTimeout(ms: number, callback?: () => void): this {
    if (callback && ms > 0) this.once('timeout', callback);
    else if (callback) this.removeListener('timeout', callback);
    this.timeout = ms;
    return this._unrefTimer();
  }

  /** Call after traffic in either direction; the name is Node's. */
  _unrefTimer(): this {
    timerFunctions.clearTimeout(this.#timer);
    if (this.timeout > 0 && !this.destroyed)
      this.#timer = timerFunctions.setTimeout(() => this.emit('timeout'), this.timeout).unref();
    return this;
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.readable = this.writable = false;
    timerFunctions.clearTimeout(this.#timer);
    nextTick(() => this.emit('close', error !== undefined));
    this.#end(error);
    return this;
  }

  setKeepAlive(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  end(): this {
    return this;
  }
  cork(): void {}
  uncork(): void {}
}
