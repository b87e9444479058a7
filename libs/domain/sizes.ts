// Every size limit of the product, in bytes; each has a contract test.

const KiB = 1024;
const MiB = 1024 * KiB;

export const sizes = {
  /** Body of a request to a source's endpoint (docs/reference/component-api.md, "Endpoints"). */
  endpointBodyBytes: 512 * KiB,
  /** JSON text of one emitted event. */
  emitBytes: 512 * KiB,
  /** JSON text of one prop's value (docs/reference/component-api.md, "The definition of a component"). */
  propValueBytes: 64 * KiB,
  /** Source text of a subscription's transform. */
  transformBytes: 32 * KiB,
  /** Body of a request that makes or changes a subscription: a transform, escaped as JSON, and a filter. */
  subscriptionBodyBytes: 128 * KiB,
  /** Source text of one component, with all its files. */
  codeBytes: 1 * MiB,
  /** What a component with packages is built into, compressed and as base64: it goes into one append. */
  bundleBytes: 6 * MiB,
  /** One part of a bundle, which is one record. */
  bundlePartBytes: 480 * KiB,
  /** Which versions of packages a component is built with, as one text: some 800 packages. */
  lockBytes: 128 * KiB,
  /** JSON text of one record: code grows by an eighth as JSON, an endpoint body by a third as base64. */
  recordBytes: 1_536 * KiB,
  /** All that one run emits and writes. */
  runOutputBytes: 6 * MiB,
  /** One atomic append. */
  appendBytes: 8 * MiB,
  /** Body of any other REST request: it is parsed on the main thread. */
  smallBodyBytes: 64 * KiB,
  /** Body of a request that deploys, saves or configures a component: its code, escaped as JSON, and its props. */
  restBodyBytes: 2 * MiB,
  /** Body of `POST /v1/sources/ID/run`: an event as large as an endpoint's body may be, escaped as JSON. */
  runBodyBytes: 1 * MiB,
  /** Body of `POST /v1/sources/ID/events`: the events of one request, escaped as JSON. */
  publishBodyBytes: 1 * MiB,
  /** Body of `PUT /v1/data_stores/ID/record`: a value of the largest size, escaped as JSON, with its key. */
  storeBodyBytes: 512 * KiB,
  /** JSON text of the events of one request to publish: they share a record. */
  publishedBytes: 512 * KiB,
  /** Body with which a component answers an HTTP request; as base64 it must fit into one reply. */
  responseBodyBytes: 5 * MiB,
  /** A component's manifest: it shares a record with the console of `describe`. */
  manifestBytes: 500 * KiB,
  /** What one run emits plus its responses as base64; with db and console about 8 MiB, the largest result of a run. */
  runResultBytes: 7 * MiB,
  /** Console text kept of one run. */
  consoleBytes: 256 * KiB,
  /** What is kept of a webhook's answer. */
  answerStoredBytes: 16 * KiB,
  /** What is kept of the headers of a webhook's answer, as JSON. */
  answerHeadersBytes: 16 * KiB,
  /** What is kept of the headers of a request that failed, as JSON. */
  requestHeadersBytes: 16 * KiB,
  /** What is kept of the answers and headers of a subscription's attempts that go into one append: they must fit. */
  attemptsDetailBytes: 1 * MiB,
  /** What is read of a webhook's answer, head and all, before it counts as too long to finish. */
  answerReadBytes: 64 * KiB,
  /** One value in `$.service.db`. */
  dbValueBytes: 64 * KiB,
  /** All of a source's db: it must fit, sealed, into one record beside its dedupe cache. */
  dbBytes: 384 * KiB,
} as const;

/** Characters of an error of a component that are kept: its cause is at the beginning, and nobody reads more. */
export const errorCharsMax = { name: 256, message: 8 * 1024, stack: 16 * 1024 } as const;
