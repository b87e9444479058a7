// Every bound of the delivery stage, with its reason; tests and benches may lower them.
import { waitingMax } from '../../domain/delivery/cursor.ts';

const MiB = 1024 * 1024;

export interface DeliveryLimits {
  /** First attempts in flight towards receivers that answer: sockets and memory, far above what healthy ones need. */
  readonly firstInFlightMax: number;
  /** Retries in flight towards receivers that answer: places of their own, so that neither kind crowds out the other. */
  readonly retryInFlightMax: number;
  /** First attempts towards receivers of which nothing good is known lately: a part that the others never wait for. */
  readonly firstDoubtfulMax: number;
  /** Retries towards such receivers. */
  readonly retryDoubtfulMax: number;
  /** Attempts of each kind towards receivers that stay silent: each holds its place for as long as an attempt may last. */
  readonly silentInFlightMax: number;
  /** Connections of one origin for webhooks that answer; they go round them. */
  readonly originAnsweringMax: number;
  /** And for those of which nothing good is known lately: several hundred may be tried without one waiting for another. */
  readonly originDoubtfulMax: number;
  /** And for those that stay silent. */
  readonly originSilentMax: number;
  /** First attempts in flight towards one webhook: as many as an origin has connections for those that answer. */
  readonly firstPerWebhookMax: number;
  /** Retries in flight towards one webhook: a fifth, as in the process as a whole. */
  readonly retriesPerWebhookMax: number;
  /** Timeouts in a row after which a webhook gets one request at a time until it answers. */
  readonly silencesMax: number;
  /** A receiver that has said nothing for this long, while something was asked of it, is in doubt: p99.9 of good ones. */
  readonly doubtMs: number;
  /** Events that one cursor may have queued in memory before reading waits for it or it falls behind. */
  readonly queuedMax: number;
  /** Bodies queued in memory for one partition, as the tail brought them. */
  readonly bufferBytesMax: number;
  /** And of those that were read again for cursors that are behind: beyond it one event at a time, at its turn. */
  readonly catchUpBytesMax: number;
  /** From so many queued events on a cursor has to get on, or falls behind at once: nobody waits for it ... */
  readonly watchedFrom: number;
  /** ... or from so many bytes. */
  readonly watchedBytes: number;
  /** Retries of one cursor that may wait, each in memory and as a record of its own. */
  readonly waitingMax: number;
  /** And of all in the process, at some 200 bytes each; the cursors share them equally, with 1,000 each at least. */
  readonly waitingInProcessMax: number;
  /** How long reading waits for a healthy cursor with a full queue before that one reads for itself. */
  readonly patienceMs: number;
  /** Range reads at a time in this process: catching up is the lowest priority. */
  readonly readersMax: number;
  /** A cursor that catches up asks for more below this many queued events. */
  readonly catchUpLow: number;
  /** And takes up to this many: a whole page beside what it has left, so that no page is read twice. */
  readonly catchUpHigh: number;
  /** Attempts and cursors are appended this long after the first completion ... */
  readonly flushMs: number;
  /** ... or after this many (docs/reference/delivery.md, "After a crash"): duplicates after a crash stay below their number. */
  readonly flushCompletions: number;
  /** Positions alone may wait longer: reading those events again is without effect. */
  readonly idleFlushMs: number;
  /** Attempts that wait for the log, in bytes, before no new one starts: a log that stalls must not fill the memory. */
  readonly pendingBytesMax: number;
  /** So many sources in a row lead to each other's runs by their events at full pace: behind them each hop is slower ... */
  readonly hopsFree: number;
  /** ... until so many ... */
  readonly hopsMax: number;
  /** ... and beyond it each subscription gives one event in this time: a loop goes on, and harms nobody. */
  readonly hopMs: number;
  /** How long a cursor leaves a listening source alone whose queue is full, before it looks again. */
  readonly fullSourceMs: number;
}

export const defaultLimits: DeliveryLimits = {
  firstInFlightMax: 2_048,
  retryInFlightMax: 256,
  firstDoubtfulMax: 512,
  retryDoubtfulMax: 256,
  silentInFlightMax: 64,
  originAnsweringMax: 64,
  originDoubtfulMax: 256,
  originSilentMax: 8,
  firstPerWebhookMax: 64,
  retriesPerWebhookMax: 12,
  silencesMax: 2,
  doubtMs: 1_000,
  queuedMax: 1_024,
  bufferBytesMax: 16 * MiB,
  catchUpBytesMax: 4 * MiB,
  watchedFrom: 64,
  watchedBytes: MiB / 4,
  waitingMax,
  waitingInProcessMax: 250_000,
  patienceMs: 250,
  readersMax: 4,
  catchUpLow: 64,
  catchUpHigh: 640,
  flushMs: 250,
  flushCompletions: 100,
  idleFlushMs: 2_000,
  pendingBytesMax: 2 * MiB,
  hopsFree: 8,
  hopsMax: 32,
  hopMs: 1_000,
  fullSourceMs: 250,
};
