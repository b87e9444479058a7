// Invokes the component of a source for a trigger, and turns the outcome into the end of the trigger.
import { isCall, isFormCall } from '../../../domain/call/call.ts';
import type { CallKind } from '../../../domain/call/call.ts';
import { originalOf, failureContextOf } from '../../../domain/run/errors-report.ts';
import { runIdOf } from '../../../domain/run/run-output.ts';
import type { HookKind, Trigger } from '../../../domain/source/messages.ts';
import type { HttpResponse, Invocation, InvocationOutcome, Sandbox } from '../../../sandbox/sandbox.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { refuseAuth, withAuth } from '../accounts/auth.ts';
import type { Auth } from '../accounts/auth.ts';
import type { BundleBuilder } from '../bundles/bundle-builder.ts';
import { limitsOf, isMuted, callLimits } from '../calls/invocation-limits.ts';
import type { CallGate } from '../calls/call-gate.ts';
import { InvocationBundle } from '../components/invocation-bundle.ts';
import type { ExecutionMode } from '../lanes/dispatcher-options.ts';
import { alertCrash } from '../outcome/crash-alert.ts';
import { formCallResult } from '../outcome/form-call-result.ts';
import { invocationResult } from '../outcome/invocation-result.ts';
import { eventNamesResult } from '../outcome/event-names-result.ts';
import type { Attempt, TriggerResult } from '../outcome/trigger-result.ts';
import { withoutText } from '../outcome/without-text.ts';
import { triggerOverheadBytes } from '../source/queued-trigger.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { StoreClient } from '../stores/store-client.ts';
import type { InvocationInput, InvocationInputs, LoadedComponent } from './invocation-inputs.ts';

export interface InvokerOptions {
  readonly sandbox: Sandbox;
  readonly builder: BundleBuilder;
  readonly inputs: InvocationInputs;
  readonly auth: Auth;
  readonly calls: CallGate;
  readonly stores: Pick<StoreClient, 'askStoreFor'>;
  readonly alerts: Alerts;
  readonly log: Pick<CheckedLog, 'reply'>;
  /** The source's db after every outcome so far, on the log or not. */
  readonly dbOf: (queued: QueuedTrigger) => Readonly<Record<string, string>>;
  /** Aborted once the sandbox belongs to the next task. */
  readonly endSignal: AbortSignal;
}

/** What the report of the outcome needs. */
interface ReportContext {
  readonly input: InvocationInput;
  readonly telling: ReturnType<typeof failureContextOf>;
  /** The request must not be kept. */
  readonly mustRedact: boolean;
}

export class Invoker {
  readonly #options: InvokerOptions;

  constructor(options: InvokerOptions) {
    this.#options = options;
  }

  /** Undefined: the invocation was lost, or the runner has ended. */
  async invoke(
    attempt: Attempt,
    loaded: LoadedComponent,
    { record, mode }: { readonly record: Trigger; readonly mode: ExecutionMode },
  ): Promise<TriggerResult | undefined> {
    const { inputs, auth, alerts, calls, sandbox, builder, endSignal } = this.#options;
    const { queued } = attempt;
    const baseInput = inputs.inputFor(attempt, loaded, record);
    if ('end' in baseInput) return baseInput;
    const { program, configured, definition } = loaded;
    const pendingAuth = auth.resolve(configured.manifest, baseInput.props, record.workspace);
    const resolvedAuth = pendingAuth instanceof Promise ? await pendingAuth : pendingAuth;
    if (endSignal.aborted) return undefined;
    if ('kind' in resolvedAuth) return refuseAuth(attempt, resolvedAuth, alerts);
    const input = withAuth(baseInput, resolvedAuth);
    const callMs = isCall(queued.kind) ? await calls.begin(attempt) : undefined;
    if (endSignal.aborted) return undefined;
    if (typeof callMs === 'object') return callMs;
    const { http } = record.data;
    const telling = failureContextOf(
      runIdOf(record),
      { http, onlyBody: input.onlyBody },
      queued.bytes - triggerOverheadBytes,
    );
    const mustRedact = http?.sealedBody !== undefined;
    const bundle = new InvocationBundle(() => builder.bundleToLoad(program, queued.workspace, configured.bundle));
    const outcome = await sandbox.invoke({
      ...this.#invocation(attempt, loaded, input),
      // If the request must not be kept, the report is made later, when the error's text has been removed.
      ...(mustRedact ? {} : { telling }),
      ...mode,
      ...callLimits(callMs, definition),
      bundle: bundle.bundle,
    });
    if (endSignal.aborted) return undefined;
    return this.#finish(attempt, loaded, bundle.explainLoss(outcome), { input, telling, mustRedact });
  }

  #invocation(
    attempt: Attempt,
    { definition, configured: { manifest } }: LoadedComponent,
    input: InvocationInput,
  ): Omit<Invocation, 'bundle'> {
    const { queued } = attempt;
    const { sourceId, kind } = queued;
    return {
      sourceId,
      revision: definition.revision,
      workspace: queued.workspace,
      what: queued.lane === 'runs' ? 'run' : (kind as CallKind | Exclude<HookKind, 'describe'>),
      ...input,
      ...limitsOf(definition),
      ...(isMuted(kind, definition) ? { muted: true } : {}),
      db: () => this.#options.dbOf(queued),
      onRespond: (response) => this.#respond(attempt.trigger, response),
      askStore: this.#options.stores.askStoreFor(attempt.trigger, manifest, input),
    };
  }

  #finish(
    attempt: Attempt,
    { configured }: LoadedComponent,
    outcome: InvocationOutcome,
    { input, telling, mustRedact }: ReportContext,
  ): TriggerResult | undefined {
    const { alerts, calls } = this.#options;
    const { queued } = attempt;
    const { kind } = queued;
    if (outcome.end === 'crashed') alertCrash(alerts, queued);
    if (outcome.end === 'lost') return isCall(kind) ? calls.interruptedResult(attempt) : undefined;
    if (isFormCall(kind)) return formCallResult(attempt, outcome, kind);
    if (kind === 'event_names') return eventNamesResult(attempt, outcome);
    const original = () => originalOf(telling, input.event, input.secrets ?? []);
    const reportable = mustRedact ? withoutText(outcome) : outcome;
    return invocationResult(attempt, reportable, { strategy: configured.manifest.dedupe, original });
  }

  #respond({ correlationId, data }: Trigger, response: HttpResponse): void {
    if (this.#options.endSignal.aborted || data.replyTo === undefined || data.kind !== 'http') return;
    const { status, headers, bodyBase64 } = response;
    this.#options.log.reply(data.replyTo, { type: 'HttpResponded', correlationId, status, headers, bodyBase64 });
  }
}
