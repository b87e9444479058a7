// How long calls to Kafka may take and how much may wait. Every call has its own limit, since kafkajs promises none.
const KiB = 1024;
const MiB = 1024 * KiB;

export const limits = {
  /** One TCP or TLS connection: three round trips to a far region, no more. */
  connectMs: 3_000,
  /** One request on the wire; a live broker answers in milliseconds, a rebalancing group in a second or two. */
  requestMs: 5_000,
  /** Start-up: creates topics on a cluster that may be starting too. */
  openMs: 30_000,
  /** One whole transaction. Below the broker's limit, so that the writer gives up before the broker does. */
  transactionMs: 8_000,
  /** After this time the broker itself aborts a dead owner's open transaction. Readers wait until then. */
  brokerTransactionMs: 10_000,
  /** A take-over: waits for the former owner's open transaction to be settled. */
  takeOverMs: 15_000,
  /** A request of a gateway: its caller is answered within 10 s. */
  sendMs: 5_000,
  /** A range read, or asking for the end of a partition. */
  readMs: 5_000,
  /** Ending a client that does not answer; nothing depends on it. */
  endMs: 2_000,
  /** A failed reply is retried for this long: the caller of an endpoint waits no longer. */
  replyRetryMs: 30_000,
  /**
   * Until records that are known to exist can be read: a new leader shows them late. Below the 10 s within which every
   * caller is answered.
   */
  catchUpMs: 8_000,
  /** From a commit until it can be read. If it takes longer, a take-over settles it, even one by the same process. */
  visibleMs: 2_000,
  /** One long poll. It blocks its connection; a closed tail's connection is free again when the poll ends. */
  pollMs: 500,
  /** The pause after a failed poll: an outage must not become a busy loop. */
  pollPauseMs: 100,

  /** Attempts to take a partition over while another process does the same. */
  takeOverAttempts: 5,

  /** Records that share a batch; a larger one has a batch to itself. */
  batchBytes: 960 * KiB,
  /** `max.message.bytes` of every topic but replies: the largest record, with room for its headers. */
  messageBytes: 2 * MiB,
  /** A reply carries a component's whole HTTP answer as base64, with its headers; none is larger than this. */
  replyBytes: 7 * MiB,
  /** `max.message.bytes` of replies. */
  replyMessageBytes: 8 * MiB,
  /** Replies that wait for Kafka; above this the oldest are dropped. */
  pendingRepliesBytes: 64 * MiB,
  /** Added to the size of a record's JSON text for the names of its headers. */
  recordOverheadBytes: 512,
  /** Smaller sends are not compressed: setting a codec up costs more than it saves on disk. */
  compressFromBytes: 8 * KiB,
  /** Records in one transaction: more would gain nothing and delay the first of them. */
  groupRecords: 2_000,
  /**
   * After a send of several requests, time to gather more: a send costs 1 ms of CPU here, at the broker and at its
   * readers.
   */
  requestsGatherMs: 20,
  /** Requests that wait while Kafka is slow; above this callers are refused at once. */
  pendingBytes: 64 * MiB,

  /** The most that one fetch asks for, all partitions together, compressed; a larger single batch is still given. */
  fetchBytes: 1 * MiB,
  /** What the first fetch asks for, while it is unknown how much the bytes unpack to. */
  fetchBytesFirst: 4 * KiB,
  /** The least that a fetch asks for; the broker gives one batch of a partition in any case. */
  fetchBytesMin: 256,
  /** The most that one answer should unpack to: a component may emit data that compresses to a thousandth. */
  fetchUnpackedBytes: 4 * MiB,
  /**
   * Smaller batches are compressed and unpacked without a thread: 100 KiB take a third of a millisecond, half of what
   * they take on a thread.
   */
  zstdSyncBytes: 256 * KiB,
  /**
   * Long polls of one tail at a time: while one waits, others cover partitions that were resumed or answered meanwhile.
   */
  pollsPerTail: 4,
  /** Idle polling connections kept for the next tail. */
  idlePollers: 8,
} as const;
