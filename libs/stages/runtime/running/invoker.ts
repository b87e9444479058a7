// Invokes the component of a source for a trigger, and turns the outcome into the end of the trigger.
import { isCall, isFormCall } from '../../../domain/call/call.ts';
import type { CallKind } from '../../../domain/call/call.ts';
import { originalOf, tellingOf } from '../../../domain/run/failed-run.ts';
import { runIdOf } from '../../../domain/run/run-output.ts';
import type { HookKind, Trigger } from '../../../domain/source/messages.ts';
import type { HttpResponse, Invocation, InvocationOutcome, Sandbox } from '../../../sandbox/sandbox.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { refuseAuth, withAuth } from '../accounts/given-auth.ts';
import type { Auth } from '../accounts/given-auth.ts';
import type { Builder } from '../bundles/builder.ts';
import { boundsOf, isMuted, within } from '../calls/bounds.ts';
import type { Calls } from '../calls/calls.ts';
import { Loading } from '../components/loading.ts';
import type { Manner } from '../lanes/dispatcher-options.ts';
import { alertCrash } from '../outcome/crash-alert.ts';
import { answered } from '../outcome/answered.ts';
import { invoked } from '../outcome/invoked.ts';
import { named } from '../outcome/named.ts';
import type { Begun, Finished } from '../outcome/finished.ts';
import { withoutText } from '../outcome/without-text.ts';
import { overheadBytes } from '../source/queued-trigger.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { StoreAsker } from '../stores/store-asker.ts';
import type { Input, Inputs, Loaded } from './inputs.ts';

export interface InvokerOptions {
  readonly sandbox: Sandbox;
  readonly builder: Builder;
  readonly inputs: Inputs;
  readonly auth: Auth;
  readonly calls: Calls;
  readonly stores: Pick<StoreAsker, 'doorFor'>;
  readonly alerts: Alerts;
  readonly log: Pick<CheckedLog, 'reply'>;
  /** The source's db after every outcome so far, on the log or not. */
  readonly db: (queued: QueuedTrigger) => Readonly<Record<string, string>>;
  /** Aborted once the sandbox belongs to the next task. */
  readonly ended: AbortSignal;
}

/** What the report of the outcome needs. */
interface Reported {
  readonly input: Input;
  readonly telling: ReturnType<typeof tellingOf>;
  /** The request must not be kept. */
  readonly isUnkept: boolean;
}

export class Invoker {
  readonly #options: InvokerOptions;

  constructor(options: InvokerOptions) {
    this.#options = options;
  }

  /** Undefined: the invocation was lost, or the runner has ended. */
  async invoke(
    begun: Begun,
    loaded: Loaded,
    { record, manner }: { readonly record: Trigger; readonly manner: Manner },
  ): Promise<Finished | undefined> {
    const { inputs, auth, alerts, calls, sandbox, builder, ended } = this.#options;
    const { queued } = begun;
    const given = inputs.of(begun, loaded, record);
    if ('end' in given) return given;
    const { program, configured, definition } = loaded;
    const asked = auth.of(configured.manifest, given.props, record.workspace);
    const accounts = asked instanceof Promise ? await asked : asked;
    if (ended.aborted) return undefined;
    if ('kind' in accounts) return refuseAuth(begun, accounts, alerts);
    const input = withAuth(given, accounts);
    const callMs = isCall(queued.kind) ? await calls.begin(begun) : undefined;
    if (ended.aborted) return undefined;
    if (typeof callMs === 'object') return callMs;
    const { http } = record.data;
    const telling = tellingOf(runIdOf(record), { http, onlyBody: input.onlyBody }, queued.bytes - overheadBytes);
    const isUnkept = http?.sealedBody !== undefined;
    const loading = new Loading(() => builder.toLoad(program, queued.workspace, configured.bundle));
    const outcome = await sandbox.invoke({
      ...this.#invocation(begun, loaded, input),
      // If the request must not be kept, the report is made later, when the error's text has been removed.
      ...(isUnkept ? {} : { telling }),
      ...manner,
      ...within(callMs, definition),
      bundle: loading.bundle,
    });
    if (ended.aborted) return undefined;
    return this.#finish(begun, loaded, loading.ended(outcome), { input, telling, isUnkept });
  }

  #invocation(
    begun: Begun,
    { definition, configured: { manifest } }: Loaded,
    input: Input,
  ): Omit<Invocation, 'bundle'> {
    const { queued } = begun;
    const { sourceId, kind } = queued;
    return {
      sourceId,
      revision: definition.revision,
      workspace: queued.workspace,
      what: queued.lane === 'runs' ? 'run' : (kind as CallKind | Exclude<HookKind, 'describe'>),
      ...input,
      ...boundsOf(definition),
      ...(isMuted(kind, definition) ? { muted: true } : {}),
      db: () => this.#options.db(queued),
      onRespond: (response) => this.#respond(begun.trigger, response),
      askStore: this.#options.stores.doorFor(begun.trigger, manifest, input),
    };
  }

  #finish(
    begun: Begun,
    { configured }: Loaded,
    outcome: InvocationOutcome,
    { input, telling, isUnkept }: Reported,
  ): Finished | undefined {
    const { alerts, calls } = this.#options;
    const { queued } = begun;
    const { kind } = queued;
    if (outcome.end === 'crashed') alertCrash(alerts, queued);
    if (outcome.end === 'lost') return isCall(kind) ? calls.interrupted(begun) : undefined;
    if (isFormCall(kind)) return answered(begun, outcome, kind);
    if (kind === 'event_names') return named(begun, outcome);
    const original = () => originalOf(telling, input.event, input.secrets ?? []);
    const kept = isUnkept ? withoutText(outcome) : outcome;
    return invoked(begun, kept, { strategy: configured.manifest.dedupe, original });
  }

  #respond({ correlationId, data }: Trigger, response: HttpResponse): void {
    if (this.#options.ended.aborted || data.replyTo === undefined || data.kind !== 'http') return;
    const { status, headers, bodyBase64 } = response;
    this.#options.log.reply(data.replyTo, { type: 'HttpResponded', correlationId, status, headers, bodyBase64 });
  }
}
