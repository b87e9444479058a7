// The script around a transform in its isolate: removes built-ins whose results vary, freezes the rest so that no state
// is kept between calls, and calls the transform.

/**
 * Runs before the transform's text, so its built-ins are V8's. `__begin`, which the host calls first, deletes itself
 * and returns the function to call, which returns three texts: the kind of result and two details.
 */
export const harness = `'use strict';
(() => {
  const { parse, stringify } = JSON;
  const { keys, freeze, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const { isArray } = Array;
  const { construct, ownKeys } = Reflect;
  const toText = String;
  const slice = Function.prototype.call.bind(String.prototype.slice);
  const codeOf = Function.prototype.call.bind(Function.prototype.toString);
  const { toStringTag } = Symbol;

  const absent = ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'Intl', 'Temporal', 'console'];

  const RealDate = Date;
  const noClock = () => { throw new TypeError('A transform has no clock: give Date a time'); };
  const TimelessDate = function Date(...time) {
    return new.target === undefined || time.length === 0 ? noClock() : construct(RealDate, time, new.target);
  };
  Object.defineProperty(TimelessDate, 'prototype', { value: RealDate.prototype, writable: false });
  RealDate.prototype.constructor = TimelessDate;
  TimelessDate.UTC = RealDate.UTC;
  TimelessDate.parse = RealDate.parse;
  TimelessDate.now = noClock;
  globalThis.Date = TimelessDate;
  const RealBuffer = ArrayBuffer;
  // isolated-vm counts the memory of resizable ones to nobody.
  const FixedBuffer = function ArrayBuffer(length, options) {
    if (new.target === undefined) throw new TypeError("Constructor ArrayBuffer requires 'new'");
    if (typeof options === 'object' && options !== null && options.maxByteLength !== undefined)
      throw new RangeError('Resizable ArrayBuffers are not available to transforms: leave maxByteLength out');
    return construct(RealBuffer, [length], new.target);
  };
  Object.defineProperty(FixedBuffer, 'prototype', { value: RealBuffer.prototype, writable: false });
  RealBuffer.prototype.constructor = FixedBuffer;
  FixedBuffer.isView = RealBuffer.isView;
  globalThis.ArrayBuffer = FixedBuffer;
  Math.random = () => { throw new TypeError('A transform has no randomness'); };

  const textMax = 1000;
  const failed = (message, stack) => ['failed', slice(message, 0, textMax), slice(stack, 0, 4 * textMax)];
  const thrown = (error) => {
    try {
      if (typeof error !== 'object' || error === null) return failed(toText(error), '');
      return failed(\`\${error.name}: \${error.message}\`, \`\${error.stack}\`);
    } catch {
      return failed('It threw what cannot be shown', '');
    }
  };

  const resultOf = (result, bodyMax) => {
    if (result === null) return ['dropped', '', ''];
    if (typeof result !== 'object' || isArray(result))
      return failed('It must return { body, headers } or null, not ' + (isArray(result) ? 'a list' : typeof result), '');
    if (typeof result.then === 'function') return failed('It must not be async: it returned a promise', '');
    const names = keys(result);
    for (let i = 0; i < names.length; i++)
      if (names[i] !== 'body' && names[i] !== 'headers')
        return failed('It must return { body, headers } or null, nothing else: ' + slice(names[i], 0, 100), '');
    const { body, headers } = result;
    const text = body === undefined ? '' : stringify(body);
    if (typeof text !== 'string') return failed('body must be JSON', '');
    if (text.length > bodyMax) return failed('body is too large', '');
    const headersText = headers === undefined ? '' : stringify(headers);
    if (typeof headersText !== 'string' || headersText.length > bodyMax) return failed('headers must be an object of texts', '');
    return ['sent', text, headersText];
  };

  // What can never give a result, so that nobody sets it.
  const unfit = (transform) => {
    if (typeof transform !== 'function') return 'It must be a function: (event, metadata) => ({ body, headers })';
    const kind = transform[toStringTag];
    if (kind === 'AsyncFunction') return 'It must not be async: a promise is not waited for';
    if (kind === 'GeneratorFunction' || kind === 'AsyncGeneratorFunction') return 'It must not be a generator';
    const isFixed = getOwnPropertyDescriptor(transform, 'prototype')?.writable === false;
    return isFixed && slice(codeOf(transform), 0, 5) === 'class' ? 'It must be a function, not a class' : undefined;
  };

  const run = (given, event, metadata, bodyMax) => {
    try {
      const transform = given();
      const why = unfit(transform);
      if (why !== undefined) return failed(why, '');
      if (event === undefined) return ['compiled', '', ''];
      return resultOf(transform(parse(event), parse(metadata)), bodyMax);
    } catch (error) {
      return thrown(error);
    }
  };

  // A frozen property of a prototype cannot be set on an object below it either: these are ones that people set.
  const settable = (proto, names) => {
    for (const name of names) {
      const own = getOwnPropertyDescriptor(proto, name);
      if (own === undefined || !('value' in own) || !own.configurable) continue;
      const set = function (value) {
        if (this === proto) throw new TypeError('Built-ins cannot be changed in a transform');
        defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      };
      defineProperty(proto, name, { get: () => own.value, set, enumerable: false, configurable: false });
    }
  };

  /** Built-ins that no name leads to. */
  const unnamed = () => [
    function* () {}, async function () {}, async function* () {}, [].values(), new Map().entries(), new Set().values(),
    ''[Symbol.iterator](), ''.matchAll(/a/g), [].values().map((one) => one), Iterator.from({ next() {} }), /a/g,
    getOwnPropertyDescriptor((function () { return arguments; })(), 'callee').get,
  ];

  const freezeAll = (roots) => {
    const seen = new Set();
    for (let left = roots; left.length > 0; ) {
      const one = left.pop();
      if ((typeof one !== 'object' && typeof one !== 'function') || one === null || seen.has(one)) continue;
      seen.add(one);
      freeze(one);
      left.push(getPrototypeOf(one));
      for (const key of ownKeys(one)) {
        const { value, get, set } = getOwnPropertyDescriptor(one, key);
        left.push(value, get, set);
      }
    }
  };

  // Not done in the snapshot: V8 cannot restore one without some of these.
  globalThis.__begin = () => {
    delete globalThis.__begin;
    for (const name of absent) delete globalThis[name];
    // What the last regular expression has matched.
    for (const name of ownKeys(RegExp)) if (getOwnPropertyDescriptor(RegExp, name).get && typeof name === 'string') delete RegExp[name];
    settable(Object.prototype, ['toString', 'toLocaleString', 'valueOf', 'constructor', 'hasOwnProperty']);
    for (const kind of [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError])
      settable(kind.prototype, ['name', 'message', 'toString', 'constructor']);
    freezeAll([globalThis, ...unnamed()]);
    return run;
  };
})();`;
