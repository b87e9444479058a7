// What host and guest must agree on, and both import: message numbers, limits, and which door cryptography takes.

/** The messages from the guest to the host, by number; runner/isolate/mailbox.ts checks every argument. */
export const toHost = {
  emit: 1,
  console: 2,
  respond: 3,
  db: 4,
  done: 5,
  timer: 6,
  clearTimer: 7,
  ask: 8,
  pull: 9,
  abort: 10,
  unref: 11,
} as const;
export type ToHost = (typeof toHost)[keyof typeof toHost];

/** The messages from the host to the guest, by number; guest/main.ts takes them. */
export const toGuest = { load: 1, invoke: 2, timer: 3, idle: 4, answered: 5, part: 6, failed: 7 } as const;

/** The limits that a component meets as an error of its own: the host sets them at boot and enforces them again. */
export interface GuestLimits {
  readonly emitBytes: number;
  readonly emitsMax: number;
  readonly emittedBytesMax: number;
  /** The records that its emits become; each has so many bytes beside its texts. */
  readonly recordsBytesMax: number;
  readonly recordBytes: number;
  /** What a run emits and responds. */
  readonly saidBytesMax: number;
  readonly depthMax: number;
  readonly manifestUnits: number;
  readonly responseBodyBytes: number;
  readonly consoleBytes: number;
  readonly dbValueBytes: number;
  readonly dbBytes: number;
  readonly dbWritesMax: number;
  readonly dbWrittenBytesMax: number;
  readonly timersMax: number;
  readonly timerCallsMax: number;
  readonly requestsOpenMax: number;
  /** Bodies of one run's open requests. */
  readonly requestBodyBytes: number;
  /** Of the files that one run has in `/tmp`, and how many files and folders there may be. */
  readonly tmpBytes: number;
  readonly tmpEntriesMax: number;
}

/**
 * isolated-vm keeps texts of 1 KiB or more outside of V8's heap, where V8 leaves them until it collects its old space:
 * tens of MiB for each busy isolate. So texts cross in pieces that are shorter, also at two bytes a character.
 */
export const pieceUnits = 511;
/** A longer text crosses whole: V8 counts what such texts take, and collects when there are a few. */
export const piecesMax = 256;

export const isInPieces = (value: unknown): value is string =>
  typeof value === 'string' && value.length > pieceUnits && value.length <= pieceUnits * piecesMax;

/** Node's own limit of a timer: a longer delay becomes 1 ms. */
export const delayMaxMs = 2 ** 31 - 1;

/** Longer names of channels are refused by the API too. */
export const channelUnitsMax = 255;

/** A request's method, URL and header fields as JSON: servers accept a quarter of it. */
export const askUnitsMax = 128 * 1024;

/** In place of a URL: a data store is asked the way of requests. It is no URL, so no request of a component has it. */
export const storesUrl = 'data stores';

/** How long a key of `$.service.db` may be: enough for names, ids and URLs; longer texts belong into values. */
export const dbKeyUnitsMax = 8 * 1024;

/** Whether a cipher proves by a tag that nothing was changed. */
export const isTagged = (algorithm: string): boolean => /gcm|ccm|ocb|poly1305/i.test(algorithm);

/** Hashed or encrypted within a millisecond or two: the thread that a runner's isolates share may do it at once. */
const quickBytesMax = 64 * 1024;

/** Whether an operation is answered at once; any other takes a thread of its own while the component waits. */
export function isQuick(operation: string, argumentBytes: number): boolean {
  switch (operation) {
    case 'hash':
    case 'hmac':
    case 'cipher':
    case 'cipherCheck':
    case 'crc32':
    case 'decode':
      return argumentBytes <= quickBytesMax;
    case 'random':
    case 'encodingNamed':
      return true;
    default:
      return false;
  }
}
