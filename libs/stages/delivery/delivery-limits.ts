// The limits of the delivery stage, each with its reason; tests and benches can lower them.
import { waitingRetriesMax } from '../../domain/delivery/cursor.ts';

const MiB = 1024 * 1024;

export interface DeliveryLimits {
  /** First attempts in flight towards receivers that answer: bounds sockets and memory, far above what is needed. */
  readonly firstInFlightMax: number;
  /** Retries in flight towards receivers that answer: separate places, so that neither kind crowds out the other. */
  readonly retryInFlightMax: number;
  /** First attempts towards receivers in doubt: a separate share, so that healthy receivers never wait for them. */
  readonly firstDoubtfulMax: number;
  /** Retries towards receivers in doubt. */
  readonly retryDoubtfulMax: number;
  /** Attempts of each kind towards silent receivers: each keeps its place until the attempt times out. */
  readonly silentInFlightMax: number;
  /** Attempts of replays in flight towards receivers that answer: a fifth of all, whatever is replayed. */
  readonly replayInFlightMax: number;
  /** Attempts of replays towards receivers in doubt ... */
  readonly replayDoubtfulMax: number;
  /** ... and towards those that stay silent. */
  readonly replaySilentMax: number;
  /** Connections of one origin for webhooks that answer; the webhooks take turns. */
  readonly originAnsweringMax: number;
  /** Connections of one origin for webhooks in doubt: several hundred can be tried without waiting for each other. */
  readonly originDoubtfulMax: number;
  /** Connections of one origin for webhooks that stay silent. */
  readonly originSilentMax: number;
  /** First attempts in flight towards one webhook: all connections of its origin. Its owner can set a higher number. */
  readonly firstPerWebhookMax: number;
  /** Retries in flight towards one webhook: a fifth, as in the process as a whole. */
  readonly retriesPerWebhookMax: number;
  /** Attempts of replays in flight towards one webhook: a quarter of `firstPerWebhookMax`. */
  readonly replaysPerWebhookMax: number;
  /** Replays that run in the process, a few KiB each: if a receiver fails, its replay lasts as long as the retries. */
  readonly replaysRunningMax: number;
  /**
   * Numbers of parked and failed events that all replays of the process remember, some 40 bytes each; one workspace
   * gets half of what the others leave.
   */
  readonly replaySelectedMax: number;
  /** Timeouts in a row after which a webhook gets one request at a time until it answers. */
  readonly silencesMax: number;
  /** A receiver is in doubt when it sends nothing for this long while requests are open: p99.9 of healthy ones. */
  readonly doubtMs: number;
  /** Events that one cursor can have queued in memory before the tail waits for it or it falls behind. */
  readonly queuedMax: number;
  /** Bytes of bodies from the tail that are queued in memory for one partition. */
  readonly bufferBytesMax: number;
  /** Bytes of bodies read again for cursors that are behind; beyond this, a cursor gets one event, at its turn. */
  readonly catchUpBytesMax: number;
  /** Bytes of bodies read again for events that wait in lines by key; beyond this, a cursor's lines get 4 KiB. */
  readonly lineBytesMax: number;
  /** A cursor with this many queued events must make progress, or it falls behind at once and the tail goes on ... */
  readonly watchedFrom: number;
  /** ... and so must one with this many queued bytes. */
  readonly watchedBytes: number;
  /** Waiting retries of one cursor, each in memory and in a separate record. */
  readonly waitingMax: number;
  /** Waiting retries of the process, some 200 bytes each; cursors share them equally, at least 1,000 each. */
  readonly waitingInProcessMax: number;
  /** How long the tail waits for cursors with a full queue; those without progress then fall behind. */
  readonly patienceMs: number;
  /** Concurrent range reads in this process: catching up has the lowest priority. */
  readonly readsAtOnceMax: number;
  /** A cursor that catches up asks for more below this many queued events. */
  readonly catchUpLow: number;
  /** A cursor that catches up queues at most this many: a page more than `catchUpLow`, to read no page twice. */
  readonly catchUpHigh: number;
  /** Attempts and cursors are appended this long after the first completion ... */
  readonly flushMs: number;
  /** ... or after this many completions (docs/reference/delivery.md, "After a crash"): fewer events are sent twice. */
  readonly flushCompletions: number;
  /** Positions alone can wait longer: reading the same events again has no effect. */
  readonly idleFlushMs: number;
  /** When so many bytes of attempts wait for the log, no new attempt starts: a stalled log must not fill the memory. */
  readonly pendingBytesMax: number;
  /** Hops from source to source at full pace; each further hop is slower ... */
  readonly hopsFree: number;
  /** ... up to this many hops ... */
  readonly hopsMax: number;
  /** ... beyond which each subscription passes on one event in this time: an endless loop does no harm. */
  readonly hopMs: number;
  /** Records of `channels` in one segment of the index: as many are kept in memory, and read again after a kill. */
  readonly segmentRecords: number;
  /** How long all attempts must have failed before `webhook_failing`: four of them, with the default schedule. */
  readonly failingMs: number;
  /** The time between checks for such webhooks. */
  readonly failingCheckMs: number;
  /** How long a cursor waits before it checks a listening source with a full queue again. */
  readonly fullSourceMs: number;
}

export const defaultLimits: DeliveryLimits = {
  firstInFlightMax: 2_048,
  retryInFlightMax: 256,
  firstDoubtfulMax: 512,
  retryDoubtfulMax: 256,
  silentInFlightMax: 64,
  replayInFlightMax: 576,
  replayDoubtfulMax: 192,
  replaySilentMax: 16,
  originAnsweringMax: 64,
  originDoubtfulMax: 256,
  originSilentMax: 8,
  firstPerWebhookMax: 64,
  retriesPerWebhookMax: 12,
  replaysPerWebhookMax: 16,
  replaysRunningMax: 1_024,
  replaySelectedMax: 2_000_000,
  silencesMax: 2,
  doubtMs: 1_000,
  queuedMax: 1_024,
  bufferBytesMax: 16 * MiB,
  catchUpBytesMax: 3 * MiB,
  lineBytesMax: MiB,
  watchedFrom: 64,
  watchedBytes: MiB / 4,
  waitingMax: waitingRetriesMax,
  waitingInProcessMax: 250_000,
  patienceMs: 250,
  readsAtOnceMax: 4,
  catchUpLow: 64,
  catchUpHigh: 640,
  flushMs: 250,
  flushCompletions: 100,
  idleFlushMs: 2_000,
  pendingBytesMax: 2 * MiB,
  hopsFree: 8,
  hopsMax: 32,
  hopMs: 1_000,
  segmentRecords: 16_384,
  failingMs: 60 * 60_000,
  failingCheckMs: 60_000,
  fullSourceMs: 250,
};
