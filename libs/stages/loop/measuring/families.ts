// Declares every metric that is served: docs/metrics.md is made from this list.
import { alertCodes } from '../../../domain/alert/messages.ts';
import type { TriggerKind } from '../../../domain/source/messages.ts';
import { stageNames } from '../../../domain/flow.ts';
import type { ParkedReason } from '../../../domain/delivery/messages.ts';
import type { Family } from '../../../primitives/metrics/family.ts';
import type { WebhookFailure } from '../../../webhooks/webhook.ts';

/** From the best latency of one process to that of a slow receiver, in seconds. */
const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Lists every value of a union type: a missing value does not compile. */
const allValues = <Value extends string>(values: Readonly<Record<Value, true>>): readonly string[] =>
  Object.keys(values);

const runKinds = allValues<TriggerKind>({
  ...({ describe: true, event_names: true, deploy: true, activate: true, deactivate: true } as const),
  ...({ http: true, apphook: true, manual: true, timer: true, event: true, emit: true, sample: true } as const),
  ...({ configure: true, props: true } as const),
});

const failures = allValues<WebhookFailure>({
  ...({ address_refused: true, dns: true, connect: true, connect_timeout: true, timeout: true } as const),
  ...({ closed: true, tls: true, answer_too_long: true, protocol: true, aborted: true } as const),
});

export const parkedReasons = allValues<ParkedReason>({ attempts_exhausted: true, gone: true, too_many_waiting: true });

const stage = { stage: stageNames };
const kind = { kind: ['first', 'retry', 'replay'] };
const standing = { standing: ['answering', 'doubtful', 'silent'] };
const input = { ...stage, partition: 'a partition of the topic', topic: 'an input of the stage' };

type FamilyExtras = Omit<Family, 'name' | 'type' | 'help' | 'labels'>;

const familyMaker =
  (type: Family['type'], extras: FamilyExtras = {}) =>
  (name: string, help: string, labels: Family['labels'] = {}): Family => ({ name, type, help, labels, ...extras });
const counter = familyMaker('counter');
const gauge = familyMaker('gauge');
const durations = familyMaker('histogram', { buckets: latencyBuckets });

const stageFamilies = {
  healthy: gauge(
    'wellspring_stage_healthy',
    '1 while every loop of the stage moves, as `/health` shows; else 0.',
    stage,
  ),
  loopAge: gauge(
    'wellspring_stage_loop_age_seconds',
    'Time since the slowest loop of the stage last turned; a quiet loop turns every second.',
    stage,
  ),
  partitions: gauge('wellspring_stage_partitions', 'Partitions that this process reads now.', stage),
  lagRecords: gauge(
    'wellspring_stage_lag_records',
    'Records on the log that the stage has not read. 0 is exact, and so are small numbers; beyond one page it is an estimate.',
    input,
  ),
  lagSeconds: gauge(
    'wellspring_stage_lag_seconds',
    'Age of the oldest record on the log that the stage has not read; 0 when there is none.',
    input,
  ),
  records: counter('wellspring_stage_records_total', 'Records that the stage has read.', {
    ...stage,
    topic: 'an input of the stage',
  }),
  recoveries: counter(
    'wellspring_stage_recoveries_total',
    'Times that a loop went on from its mark after an error of the log or another server.',
    stage,
  ),
};

const runFamilies = {
  runs: counter('wellspring_runs_total', 'Runs whose end is on the log.', {
    kind: runKinds,
    outcome: ['succeeded', 'failed', 'refused'],
  }),
  runDuration: durations('wellspring_run_duration_seconds', 'How long runs took in the sandbox, hooks included.', {
    kind: runKinds,
  }),
  events: counter('wellspring_events_emitted_total', 'Events that were put on the log, emitted by runs or published.'),
  triggers: gauge('wellspring_runtime_triggers', 'Triggers that were read and have not ended: they wait, or run.', {
    lane: ['hooks', 'runs', 'calls'],
  }),
};

const deliveryFamilies = {
  attempts: counter(
    'wellspring_delivery_attempts_total',
    'Attempts that have ended. `delivered`: answered with 2xx; `rejected`: with another status; `transform_failed`: its transform failed, so nothing was sent; else why there was no answer. `standing`: what was known of the receiver.',
    { outcome: ['delivered', 'rejected', 'transform_failed', ...failures], ...standing },
  ),
  attemptDuration: durations(
    'wellspring_delivery_attempt_duration_seconds',
    'From when a request has a connection to the end of the answer.',
    { outcome: ['delivered', 'failed'] },
  ),
  latency: durations(
    'wellspring_delivery_latency_seconds',
    'From when an event was emitted to the end of the attempt that delivered it, by the clocks of the machines; replays are left out.',
    { attempt: ['first', 'retry'] },
  ),
  parked: counter('wellspring_delivery_parked_total', 'Deliveries that are parked: nothing more is sent by itself.', {
    reason: parkedReasons,
  }),
  waitingAttempts: gauge('wellspring_delivery_waiting', 'Attempts that could start now and wait for their turn.', kind),
  inFlight: gauge('wellspring_delivery_in_flight', 'Attempts under way.', { ...kind, ...standing }),
  waitingRetries: gauge(
    'wellspring_delivery_retries_waiting',
    'Deliveries that wait for the time of their next attempt, without up to 16 of each subscription and source.',
  ),
  failing: gauge(
    'wellspring_delivery_failing_webhooks',
    'Webhooks to which every attempt by this process has failed for an hour or more (the alert `webhook_failing`).',
  ),
  failingSeconds: gauge(
    'wellspring_delivery_failing_seconds',
    'For how long this has been so for the webhook that has failed longest; 0: for none.',
  ),
};

const httpFamilies = {
  requests: counter('wellspring_http_requests_total', 'Requests that were answered.', {
    route: 'the pattern of a route, such as `/v1/sources/:id`; `none`: no route has the path',
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'other'],
    status: ['1xx', '2xx', '3xx', '4xx', '5xx'],
  }),
  bodyBytes: gauge('wellspring_gateway_body_bytes', 'Memory that is set aside for bodies that are being received.'),
  waitingBodies: gauge('wellspring_gateway_bodies_waiting', 'Large bodies that are parsed or wait to be.'),
  waitingRequests: gauge('wellspring_gateway_requests_waiting', 'Requests that wait for their turn to begin.'),
  waitingCalls: gauge('wellspring_gateway_calls_waiting', 'Requests that wait for a run to respond or to end.'),
  waitingPublishes: gauge(
    'wellspring_gateway_publishes_waiting',
    'Requests to publish that wait until their events are on the log.',
  ),
  openStreams: gauge('wellspring_gateway_streams', 'Open streams of events and runs.'),
  alerts: gauge('wellspring_alerts', 'Live alerts, as `/health` of a gateway lists them.', { code: alertCodes }),
};

const auditFamilies = {
  checkpoints: counter('wellspring_audit_checkpoints_total', 'Checkpoints that were signed and are on the log.'),
};

const storageFamilies = {
  storeBytes: gauge(
    'wellspring_store_bytes',
    'Size of what is stored. `file`, `wal`: the SQLite file and its write-ahead log; `used`: the file without its free pages; `documents`, `indexes`: in MongoDB.',
    { store: ['log', 'views'], part: ['file', 'wal', 'used', 'documents', 'indexes'] },
  ),
};

const lag = 'nodejs_eventloop_lag';
const lagHelp = (which: string): string => `${which} delay of the event loop since the last answer.`;

const processFamilies = {
  cpuUser: counter('process_cpu_user_seconds_total', 'Processor time in user space, of all threads.'),
  cpuSystem: counter('process_cpu_system_seconds_total', 'Processor time in the kernel, of all threads.'),
  startTime: gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.'),
  residentMemory: gauge('process_resident_memory_bytes', 'Memory of the process that is in RAM.'),
  heapTotal: gauge('nodejs_heap_size_total_bytes', 'Size of the JavaScript heap.'),
  heapUsed: gauge('nodejs_heap_size_used_bytes', 'Memory in use on the JavaScript heap.'),
  external: gauge('nodejs_external_memory_bytes', 'Memory of buffers and other objects outside the JavaScript heap.'),
  loopMean: gauge(`${lag}_mean_seconds`, lagHelp('Mean')),
  loopP50: gauge(`${lag}_p50_seconds`, lagHelp('Median')),
  loopP99: gauge(`${lag}_p99_seconds`, lagHelp('99th percentile of the')),
  loopMax: gauge(`${lag}_max_seconds`, lagHelp('Greatest')),
  collections: durations('nodejs_gc_duration_seconds', 'How long garbage collections took.', {
    kind: ['minor', 'major', 'incremental', 'weakcb'],
  }),
  version: gauge('nodejs_version_info', 'Always 1.', { version: 'the version of Node' }),
  leftOut: counter(
    'wellspring_metrics_left_out_total',
    'Readings that failed or took too long: their metrics are absent from that answer.',
  ),
};

export const families = {
  ...stageFamilies,
  ...runFamilies,
  ...deliveryFamilies,
  ...httpFamilies,
  ...auditFamilies,
  ...storageFamilies,
  ...processFamilies,
};

/** The sections of docs/metrics.md, in order. */
export const familyGroups: readonly (readonly [title: string, families: readonly Family[]])[] = [
  ['Stages', Object.values(stageFamilies)],
  ['Runs', Object.values(runFamilies)],
  ['Deliveries', Object.values(deliveryFamilies)],
  ['HTTP and the gateway', Object.values(httpFamilies)],
  ['Audit', Object.values(auditFamilies)],
  ['Storage', Object.values(storageFamilies)],
  ['The process', Object.values(processFamilies)],
];
