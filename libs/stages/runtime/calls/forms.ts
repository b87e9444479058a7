// Answers forms through components, deployed or not: with the options of a prop, or the props for the values so far.
import { withAuthFields } from '../../../domain/component/props/accounts/auth-fields.ts';
import { callRunMs, isFormCall } from '../../../domain/call/call.ts';
import type { FormCallKind } from '../../../domain/call/call.ts';
import { readReturned } from '../../../domain/call/form.ts';
import type { FormAsked } from '../../../domain/call/form.ts';
import { runIdOf } from '../../../domain/run/run-output.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import { keptProps } from '../../../domain/source/process/configure.ts';
import { programOf } from '../../../domain/component/program/program.ts';
import type { Program } from '../../../domain/component/program/program.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Bundle, BuildOutcome, Lock, Packages } from '../../../packages/packages.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type {
  DescribeManner,
  DescribeOutcome,
  Invocation,
  InvocationOutcome,
  Sandbox,
} from '../../../sandbox/sandbox.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import { refuseAuth, withAuth } from '../accounts/given-auth.ts';
import type { Auth } from '../accounts/given-auth.ts';
import type { Configured } from '../source/definitions.ts';
import type { Manner } from '../lanes/dispatcher-options.ts';
import { buildLocked } from '../bundles/builder.ts';
import { answered, failedToDescribe, propsRefused } from '../outcome/answered.ts';
import { described } from '../outcome/described.ts';
import type { Begun, Finished } from '../outcome/finished.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import { givenProps } from '../source/run-input.ts';
import type { Vault } from '../source/vault.ts';
import type { Calls } from './calls.ts';
import { formInput } from './form-input.ts';
import type { FormInput } from './form-input.ts';

export interface FormsOptions {
  readonly sandbox: Sandbox;
  readonly packages: Packages;
  readonly vault: Vault;
  readonly auth: Auth;
  readonly alerts: Alerts;
  readonly calls: Calls;
  readonly ambient: { readonly now: () => number };
  readonly endpointUrl: (endpointKey: string) => string;
  /** The source's db after every outcome so far. */
  readonly db: (queued: QueuedTrigger) => Readonly<Record<string, string>>;
  /** Whether the source's stored db cannot be opened. */
  readonly dbCloses: (queued: QueuedTrigger) => boolean;
}

/** A described program; without a bundle it could not be built. */
export interface DescribedProgram {
  readonly outcome: DescribeOutcome;
  readonly bundle?: Bundle;
  /** The versions of its packages; absent: there are none, or it was built before. */
  readonly lock?: Lock;
}

type Built =
  | { readonly kind: 'built'; readonly bundle: Bundle; readonly lock?: Lock | null }
  | Exclude<BuildOutcome, { readonly kind: 'built' }>;

/** A source that is being deployed or updated. */
interface Deploying {
  /** The configured props of the command. */
  readonly asked: Sealed | undefined;
  /** The revision before; undefined: there is none, or it cannot be read. */
  readonly previous: () => Promise<Configured | undefined>;
  readonly endpointKey: string;
  /** The source's memory limit; undefined: the default. */
  readonly memoryMb: number | undefined;
}

interface Given extends Pick<Deploying, 'asked'> {
  readonly previous: Configured | undefined;
  readonly endpoint: string;
}

/** For an instance that is discarded after the answer. */
const alone = { revision: 1, db: () => ({}), onRespond: () => {} } as const;

/** The props of the new code, and those that `additionalProps` had added to the old: it might add them again. */
function withDynamic(manifest: Manifest, before: Manifest): Manifest {
  const own = new Set(manifest.props.map(({ name }) => name));
  const added = before.props.filter(({ name, dynamic }) => dynamic === true && !own.has(name));
  return { ...manifest, props: [...manifest.props, ...added] };
}

export class Forms {
  readonly #options: FormsOptions;

  constructor(options: FormsOptions) {
    this.#options = options;
  }

  /** For a component that is not deployed: the trigger carries its code. Undefined: the runner has ended. */
  async ofCode(begun: Begun, { data, workspace }: Trigger, manner: Manner): Promise<Finished | undefined> {
    const { calls, sandbox } = this.#options;
    const { code = '', kind, sourceId } = data;
    if (!isFormCall(kind)) return undefined;
    const asked = this.asked(data, workspace);
    const refusal = calls.refusal(begun);
    if (refusal !== undefined) return refusal;
    // If packages must be installed first, the caller waits for that too: the component still has its whole time.
    const { outcome, bundle } = await this.describe(programOf({ ...data, code }), workspace);
    if (outcome.kind !== 'described') return failedToDescribe(begun, outcome, this.#took(begun));
    if (bundle === undefined) return undefined;
    const drafted = formInput(asked, outcome.manifest);
    if ('problems' in drafted) return propsRefused(begun, drafted.problems);
    const auth = await this.#options.auth.of(outcome.manifest, drafted.props, workspace);
    if ('kind' in auth) return refuseAuth(begun, auth, this.#options.alerts);
    const input = withAuth(drafted, auth);
    const runTimeoutMs = await calls.begin(begun, performance.now());
    if (typeof runTimeoutMs === 'object') return runTimeoutMs;
    const beginBy = performance.now() + runTimeoutMs;
    const of = { ...alone, sourceId, workspace, what: kind, ...input, ...manner, runTimeoutMs, beginBy };
    const answer = await sandbox.invoke({ ...of, bundle: async () => bundle });
    await sandbox.unload(sourceId);
    return answer.end === 'lost' ? calls.interrupted(begun) : answered(begun, answer, kind);
  }

  /** Builds a program and describes the result. */
  async describe(program: Program, workspace: string): Promise<DescribedProgram> {
    return this.describeBuilt(await buildLocked(this.#options.packages, program, workspace), { workspace });
  }

  /** Describes a built program. */
  async describeBuilt(built: Built, manner: DescribeManner): Promise<DescribedProgram> {
    if (built.kind !== 'built') return { outcome: { kind: 'invalid', error: built.error, console: [] } };
    const { bundle, lock = null } = built;
    const outcome = await this.#options.sandbox.describe(bundle, manner);
    if (outcome.kind !== 'described') return { outcome, bundle };
    const manifest = withAuthFields(outcome.manifest, bundle.js);
    return { outcome: { ...outcome, manifest }, bundle, ...(lock === null ? {} : { lock }) };
  }

  /** The form's question. Throws if it cannot be unsealed. */
  asked({ asked }: Trigger['data'], workspace: string): FormAsked {
    const opened = asked === undefined ? {} : (this.#options.vault.open(workspace, asked) as JsonObject);
    return { configuredProps: {}, ...opened };
  }

  /**
   * The end of `describe` for a component that is being deployed: its manifest with the props that `additionalProps`
   * adds for the given values; without them if the values are wrong, for which lifecycle refuses the deploy. Undefined:
   * the invocation was lost.
   */
  async described(
    begun: Begun,
    { outcome, bundle }: DescribedProgram,
    { asked, previous, endpointKey, memoryMb }: Deploying,
  ): Promise<Finished | undefined> {
    const took = (): number => this.#took(begun);
    if (outcome.kind !== 'described' || bundle === undefined || !outcome.manifest.additionalProps)
      return described(begun, outcome, took());
    const { manifest } = outcome;
    const given = { asked, previous: await previous(), endpoint: this.#options.endpointUrl(endpointKey) };
    const input = this.#given(begun, manifest, given);
    if (input === undefined || 'problems' in input) return described(begun, outcome, took());
    const auth = await this.#options.auth.of(manifest, input.props, begun.trigger.workspace);
    if ('kind' in auth) return described(begun, outcome, took());
    const answer = await this.#propsOf(begun, bundle, {
      ...withAuth(input, auth),
      ...(memoryMb === undefined ? {} : { memoryMb }),
    });
    if (answer.end === 'lost') return undefined;
    const console = [...outcome.console, ...answer.console];
    const returned = answer.end === 'finished' ? readReturned('props', answer.emits[0]?.event) : answer.error;
    if (returned !== undefined && 'kind' in returned && returned.kind === 'props')
      return described(begun, { ...outcome, manifest: { ...manifest, props: returned.props }, console }, took());
    const error = returned !== undefined && 'name' in returned ? returned : { name: 'Error', message: answer.end };
    return described(begun, { kind: 'invalid', error, console }, took(), 'additionalProps');
  }

  /** Undefined: the values cannot be unsealed, which lifecycle also notices and reports. */
  #given(
    { trigger: { workspace } }: Begun,
    manifest: Manifest,
    { asked, previous, endpoint }: Given,
  ): ReturnType<typeof formInput> | undefined {
    const unseal = (sealed: Sealed): Json => this.#options.vault.open(workspace, sealed);
    try {
      const kept =
        previous === undefined ? {} : keptProps(previous, withDynamic(manifest, previous.manifest), { unseal });
      const given = asked === undefined ? {} : (unseal(asked) as JsonObject);
      const own = givenProps({ manifest, props: {} }, endpoint, unseal);
      return formInput({ configuredProps: { ...kept, ...given } }, manifest, own);
    } catch (error) {
      if (error instanceof PortError) throw error;
      return undefined;
    }
  }

  /** Calls `additionalProps`. It reads the source's db; its writes are discarded with the instance. */
  async #propsOf(
    begun: Begun,
    bundle: Bundle,
    input: FormInput & Pick<Invocation, 'memoryMb'>,
  ): Promise<InvocationOutcome> {
    const { sandbox, dbCloses } = this.#options;
    const { workspace } = begun.trigger;
    const db = () => (dbCloses(begun.queued) ? {} : this.#options.db(begun.queued));
    const sourceId = runIdOf(begun.trigger);
    const what: FormCallKind = 'props';
    const of = { ...alone, db, sourceId, workspace, what, ...input, runTimeoutMs: callRunMs };
    const answer = await sandbox.invoke({ ...of, bundle: async () => bundle });
    await sandbox.unload(sourceId);
    return answer;
  }

  #took({ startedAt }: Begun): number {
    return this.#options.ambient.now() - startedAt;
  }
}
