// Every bound of the delivery stage, with its reason; tests and benches may lower them.

const MiB = 1024 * 1024;

export interface DeliveryLimits {
  /** First attempts in flight in this process: sockets and memory, far above what healthy receivers need. */
  readonly firstInFlightMax: number;
  /** Slots that only retries use, and the only ones they use: dead receivers cannot crowd out first attempts. */
  readonly retryInFlightMax: number;
  /** First attempts in flight towards one webhook: as many as an origin has connections. */
  readonly firstPerWebhookMax: number;
  /** Retries in flight towards one webhook: a fifth, as in the process as a whole. */
  readonly retriesPerWebhookMax: number;
  /** Timeouts in a row after which a webhook gets one request at a time until it answers. */
  readonly silencesMax: number;
  /** Events that one cursor may have queued in memory before reading waits for it or it falls behind. */
  readonly queuedMax: number;
  /** Bodies queued in memory for one partition. */
  readonly bufferBytesMax: number;
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
  /** ... or after this many (architecture.md, Delivery): duplicates after a crash stay below their number. */
  readonly flushCompletions: number;
  /** Positions alone may wait longer: reading those events again is without effect. */
  readonly idleFlushMs: number;
  /** Attempts that wait for the log, in bytes, before no new one starts: a log that stalls must not fill the memory. */
  readonly pendingBytesMax: number;
}

export const defaultLimits: DeliveryLimits = {
  firstInFlightMax: 2_048,
  retryInFlightMax: 256,
  firstPerWebhookMax: 64,
  retriesPerWebhookMax: 12,
  silencesMax: 2,
  queuedMax: 1_024,
  bufferBytesMax: 16 * MiB,
  patienceMs: 250,
  readersMax: 4,
  catchUpLow: 64,
  catchUpHigh: 640,
  flushMs: 250,
  flushCompletions: 100,
  idleFlushMs: 2_000,
  pendingBytesMax: 2 * MiB,
};
