// The built-ins that the bridge relies on, saved before any component runs: changed prototypes cannot affect it.

/** `uncurry(Map.prototype.get)(map, key)`: turns a method into a function whose call looks up no property. */
const uncurry = Function.prototype.bind.bind(Function.prototype.call) as unknown as <
  This,
  Args extends unknown[],
  Result,
>(
  method: (this: This, ...args: Args) => Result,
) => (self: This, ...args: Args) => Result;

export const jsonParse = JSON.parse as (text: string) => unknown;
export const jsonStringify = JSON.stringify as (value: unknown) => string | undefined;
export const objectAssign = Object.assign as <T extends object, U extends object>(target: T, source: U) => T & U;
export const objectCreate = Object.create as (proto: null) => Record<string, unknown>;
export const objectKeys = Object.keys;
/** `[object Error]` and the like, whatever the value's own toString returns. */
export const objectToText = uncurry(Object.prototype.toString) as (value: unknown) => string;
export const defineProperty = Object.defineProperty;
export const freeze = Object.freeze;
export const hasOwn = Object.hasOwn;
export const isArray = Array.isArray;
export const isView = ArrayBuffer.isView;
export const isInteger = Number.isInteger;
export const isFinite = Number.isFinite;
export const toNumber = Number;
export const toText = String;
export const dateParse = Date.parse;
export const dateNow = Date.now;
export const reflectApply = Reflect.apply as (fn: unknown, self: unknown, args: readonly unknown[]) => unknown;
export const construct = Reflect.construct as (target: unknown, args: readonly unknown[], newTarget: unknown) => object;
export const functionBind = uncurry(Function.prototype.bind as (this: unknown, self: unknown) => unknown);
export const stringSlice = uncurry(String.prototype.slice);
type ByteLengthGetter = (this: ArrayBuffer) => number;
export const byteLength = uncurry(
  Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')?.get as ByteLengthGetter,
);
const uint8ArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
type BufferGetter = (this: Uint8Array) => ArrayBuffer;
const bufferOf = uncurry(Object.getOwnPropertyDescriptor(uint8ArrayPrototype, 'buffer')?.get as BufferGetter);
const Bytes = Uint8Array;
export const bytesIn = (buffer: ArrayBuffer): Uint8Array => new Bytes(buffer);
/** A copy of the bytes in a new buffer, which no other code references. */
export const ownBuffer = (bytes: Uint8Array): ArrayBuffer => bufferOf(new Bytes(bytes));
export const stringIncludes = uncurry(String.prototype.includes as (this: string, part: string) => boolean);
export const stringCharCodeAt = uncurry(String.prototype.charCodeAt);
export const stringToLowerCase = uncurry(String.prototype.toLowerCase);
export const regExpExec = uncurry(RegExp.prototype.exec);
export const dateGetTime = uncurry(Date.prototype.getTime);
export const dateToIsoString = uncurry(Date.prototype.toISOString);

type AnyMap = Map<unknown, unknown>;
export const mapGet = uncurry(Map.prototype.get as AnyMap['get']) as <K, V>(map: Map<K, V>, key: K) => V | undefined;
export const mapSet = uncurry(Map.prototype.set as AnyMap['set']) as <K, V>(map: Map<K, V>, key: K, value: V) => void;
export const mapDelete = uncurry(Map.prototype.delete as AnyMap['delete']) as <K, V>(map: Map<K, V>, key: K) => boolean;
export const mapClear = uncurry(Map.prototype.clear as AnyMap['clear']) as <K, V>(map: Map<K, V>) => void;
export const mapHas = uncurry(Map.prototype.has as AnyMap['has']) as <K, V>(map: Map<K, V>, key: K) => boolean;
type SizeGetter = (this: AnyMap) => number;
const sizeGetter = Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get as SizeGetter;
export const mapSize = uncurry(sizeGetter) as <K, V>(map: Map<K, V>) => number;
const mapKeys = uncurry(Map.prototype.keys as AnyMap['keys']);
type KeyIterator = ReturnType<AnyMap['keys']>;
const { next } = Object.getPrototypeOf(new Map().keys()) as KeyIterator;
const nextKey = uncurry(next as (this: KeyIterator) => IteratorResult<unknown, undefined>);
/** The oldest remaining key. */
export const firstKey = <K>(map: Map<K, unknown>): K | undefined =>
  nextKey(mapKeys(map as AnyMap)).value as K | undefined;
export const mapEachKey = <K>(map: Map<K, unknown>, visit: (key: K) => void): void => {
  const keys = mapKeys(map as AnyMap);
  for (let at = nextKey(keys); at.done !== true; at = nextKey(keys)) visit(at.value as K);
};

const promiseResolve = Promise.resolve.bind(Promise) as (value: unknown) => Promise<unknown>;
/** A new resolved promise for each call, because a component could set fields on a shared one. */
export const resolvedPromise = (): Promise<void> => promiseResolve(undefined) as Promise<void>;
export const promiseThen = uncurry(
  Promise.prototype.then as (this: Promise<unknown>, onFulfilled: unknown, onRejected: unknown) => Promise<unknown>,
);
