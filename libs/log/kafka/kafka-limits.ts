// How long anything may take on Kafka, and how much may wait: every call has its own limit, since kafkajs promises none.
const KiB = 1024;
const MiB = 1024 * KiB;

export const limits = {
  /** One TCP or TLS connection: three round trips to a far region, no more. */
  connectMs: 3_000,
  /** One request on the wire; a broker that is alive answers in milliseconds, a rebalancing group in a second or two. */
  requestMs: 5_000,
  /** Start-up: creates topics on a cluster that may be starting too. */
  openMs: 30_000,
  /** All of one transaction. Below the broker's limit, so that we give up before it does. */
  transactionMs: 8_000,
  /** After it the broker aborts by itself what a dead owner left open, which readers wait for. */
  brokerTransactionMs: 10_000,
  /** A take-over: waits for the former owner's open transaction to be settled. */
  takeOverMs: 15_000,
  /** A request of a gateway: its caller is answered within 10 s. */
  sendMs: 5_000,
  /** A range read or the end of a partition. */
  readMs: 5_000,
  /** Ending a client that does not answer; nothing depends on it. */
  endMs: 2_000,
  /** A reply is sent again for so long: the caller of an endpoint waits no longer. */
  replyWaitedMs: 30_000,
  /** For what is known to stand to show: a new leader shows it late. Below the 10 s within which every caller is answered. */
  behindMs: 8_000,
  /** From a commit until it can be read; what takes longer is settled by a take-over, even from ourselves. */
  shownMs: 2_000,
  /** One long poll. It blocks its connection, and a closed tail's connection is free again after it. */
  pollMs: 500,
  /** Between polls after one failed: an outage must not become a busy loop. */
  pollPauseMs: 100,

  /** Attempts to take a partition over while another process does the same. */
  takeOvers: 5,

  /** One record batch: below `max.message.bytes`, with room for what the estimate leaves out. */
  batchBytes: 960 * KiB,
  /** `max.message.bytes` of every topic: Kafka's own default, said aloud. */
  messageBytes: 1 * MiB,
  /** A reply carries a component's whole HTTP answer as base64, with its headers; larger than that none is made. */
  replyBytes: 7 * MiB,
  /** `max.message.bytes` of replies. */
  replyMessageBytes: 8 * MiB,
  /** Replies that wait for Kafka; beyond, the oldest are dropped. */
  repliesWaitingBytes: 64 * MiB,
  /** Added to a record's JSON text for its headers' names. */
  recordOverheadBytes: 512,
  /** Sends smaller than this are not worth it: setting a codec up costs more than it saves on disk. */
  compressFromBytes: 8 * KiB,
  /** Records in one transaction: more gain nothing and hold up the first of them. */
  groupRecords: 2_000,
  /** Requests that came together will again: a send costs a millisecond of CPU, here, at the broker and at its readers. */
  requestsGatherMs: 20,
  /** Requests that wait while Kafka is slow; beyond, callers are refused at once. */
  waitingBytes: 64 * MiB,

  /** Asked for at once, of all partitions together, compressed as they stand; a larger single batch is still given. */
  fetchBytes: 1 * MiB,
  /** Asked for first, when nothing is known of how much it unpacks to. */
  fetchBytesFirst: 4 * KiB,
  /** Asked for at least; the broker gives one batch of a partition in any case. */
  fetchBytesMin: 256,
  /** What one answer should unpack to at most: a component may emit what shrinks to a thousandth. */
  fetchUnpackedBytes: 4 * MiB,
  /** Smaller batches are compressed and unpacked at once: a third of a millisecond for 100 KiB, and half as much as on a thread. */
  zstdAtOnceBytes: 256 * KiB,
  /** Connections that wait for records, of one tail: others for what is resumed, or was answered, while one waits. */
  pollsPerTail: 4,
  /** Idle polling connections that are kept for the next tail. */
  idlePollers: 8,
} as const;
