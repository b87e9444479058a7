// Shared by host and guest: message numbers, limits, and whether an operation is quick or slow.

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

/** The messages from the host to the guest, by number; guest/main.ts handles them. */
export const toGuest = { load: 1, invoke: 2, timer: 3, idle: 4, answered: 5, part: 6, failed: 7 } as const;

/** The limits that a component receives errors for: the host sets them at boot and enforces them again. */
export interface GuestLimits {
  readonly emitBytes: number;
  readonly emitsMax: number;
  readonly emittedBytesMax: number;
  /** All records of a run's emits; each has `recordBytes` besides its texts. */
  readonly recordsBytesMax: number;
  readonly recordBytes: number;
  /** All that a run emits and responds. */
  readonly resultBytesMax: number;
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
  /** All bodies of one run's open requests. */
  readonly requestBodyBytes: number;
  /** The limits of one run's `/tmp`: bytes of files, and number of files and folders. */
  readonly tmpBytes: number;
  readonly tmpEntriesMax: number;
}

/**
 * isolated-vm keeps texts of 1 KiB or more outside of V8's heap, where they stay until V8 collects its old space:
 * tens of MiB for each busy isolate. So texts are sent in shorter pieces; this is below 1 KiB at two bytes a character.
 */
export const pieceUnits = 511;
/** A text of more pieces is sent whole, because V8 counts the memory of such texts and collects after a few of them. */
export const piecesMax = 256;

export const isSentInPieces = (value: unknown): value is string =>
  typeof value === 'string' && value.length > pieceUnits && value.length <= pieceUnits * piecesMax;

/** Node's limit of a timer; a longer delay becomes 1 ms. */
export const delayMaxMs = 2 ** 31 - 1;

/** The API's limit for names of channels too. */
export const channelUnitsMax = 255;

/** A request's method, URL and headers as JSON; servers accept a quarter of it. */
export const requestHeadUnitsMax = 128 * 1024;

/** The URL of requests to data stores. As it is no valid URL, no other request of a component can have it. */
export const storesUrl = 'data stores';

/** The longest key of `$.service.db`: enough for names, ids and URLs; longer texts belong in values. */
export const dbKeyUnitsMax = 8 * 1024;

/** Whether the cipher authenticates its data by a tag. */
export const hasAuthTag = (algorithm: string): boolean => /gcm|ccm|ocb|poly1305/i.test(algorithm);

/** Hashed or encrypted within two milliseconds, so the thread that a runner's isolates share can do it at once. */
const quickBytesMax = 64 * 1024;

/** Whether an operation runs at once; any other runs on a separate thread while the component waits. */
export function isQuickOperation(operation: string, argumentBytes: number): boolean {
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
