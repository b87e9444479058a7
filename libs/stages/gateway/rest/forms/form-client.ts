// Asks a component for what a form needs: the options of a prop, or the props that apply to the values so far.
import type { FormCallKind } from '../../../../domain/call/call.ts';
import type { FormResponse, FormRequest, FormCallResult } from '../../../../domain/call/form.ts';
import { codeAndPropsTooLarge } from '../../../../domain/source/process/deploy.ts';
import { isTooLarge } from '../../../../domain/source/process/configure.ts';
import { codeHashOf } from '../../../../domain/component/program/program.ts';
import { derivedId } from '../../../../domain/id.ts';
import type { JsonObject } from '../../../../domain/json.ts';
import type { SourceView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { ApiProblem, notFound, tooLarge } from '../../http/api-problem.ts';
import { loadProgram, requireCodeReference } from '../code/code-reference.ts';
import type { CallClient } from '../sources/calls/call-client.ts';
import { checkConfiguredProps } from '../sources/configured-props.ts';
import { checkProgram } from '../code/check-program.ts';
import { presentErrorDetails } from '../code/error-details.presenter.ts';
import { withoutPlaceholders } from '../sources/update/update-source.ts';
import type { ComponentPropsDto, SourceConfigureDto, SourcePropsDto } from './forms.dto.ts';

/** What the component returned, with what it printed. */
export interface FormResult<Kind extends FormCallKind = FormCallKind> {
  readonly returned: Extract<FormCallResult, { kind: Kind }>;
  readonly console: FormResponse['console'];
}

export interface FormCall<Kind extends FormCallKind> {
  readonly kind: Kind;
  readonly input: SourcePropsDto & Partial<SourceConfigureDto>;
}

type RequiredParts = Parts<'secrets' | 'views' | 'commands' | 'ambient' | 'log'>;

export class FormClient {
  readonly #parts: RequiredParts;
  readonly #calls: CallClient;

  constructor(parts: RequiredParts, calls: CallClient) {
    this.#parts = parts;
    this.#calls = calls;
  }

  /** Asks a deployed source: with its own values, which those of the form override. Throws ApiProblem or PortError. */
  async askSource<Kind extends FormCallKind>(
    caller: Caller,
    source: SourceView,
    { kind, input }: FormCall<Kind>,
  ): Promise<FormResult<Kind>> {
    const { state } = source;
    if (state === 'deleting' || state === 'refused') throw notFound({ state });
    if (state === 'deploying')
      throw new ApiProblem(409, 'busy', `The source ${source.sourceId} is being deployed: wait until that has ended.`);
    const sealedInput = this.#sealInput(caller, input);
    return resultOf(kind, await this.#calls.ask(caller, source, { kind, asked: sealedInput }));
  }

  /** Asks a component that is not deployed. Calls of the same code run one by one, those of others concurrently. */
  async askComponent<Kind extends FormCallKind>(
    caller: Caller,
    component: ComponentPropsDto,
    { kind, input }: FormCall<Kind>,
  ): Promise<FormResult<Kind>> {
    const sealedInput = this.#sealInput(caller, input);
    const program = await loadProgram(this.#parts, caller, requireCodeReference(component), { fingerprint: null });
    checkProgram(program);
    if (isTooLarge({ ...program, asked: sealedInput })) throw tooLarge(codeAndPropsTooLarge.message);
    const { workspace } = caller;
    const target = { sourceId: derivedId('form', workspace, codeHashOf(program)), revision: 1, workspace };
    return resultOf(kind, await this.#calls.ask(caller, target, { kind, asked: sealedInput, ...program }));
  }

  #sealInput(caller: Caller, input: FormCall<FormCallKind>['input']) {
    const props: JsonObject = input.configured_props ?? {};
    checkConfiguredProps(props);
    const { prop_name: propName, page, prev_context: prevContext, query } = input;
    const formInput: FormRequest = {
      configuredProps: withoutPlaceholders(props),
      ...(propName === undefined ? {} : { propName }),
      ...((page ?? null) === null ? {} : { page: Number(page) }),
      ...((prevContext ?? null) === null ? {} : { prevContext: prevContext ?? null }),
      ...(typeof query === 'string' ? { query } : {}),
    };
    return this.#parts.secrets.seal(caller.workspace, { ...formInput });
  }
}

function resultOf<Kind extends FormCallKind>(
  kind: Kind,
  { returned, problems, error, console }: FormResponse,
): FormResult<Kind> {
  if (problems !== undefined) {
    const fieldProblems = problems.map(({ prop, message }) => ({ field: prop, message }));
    const message = error?.message ?? 'The props are wrong.';
    throw new ApiProblem(400, 'props_invalid', message, { details: { problems: fieldProblems } });
  }
  if (isOfKind(returned, kind)) return { returned, console };
  const details = presentErrorDetails({ ...(error === undefined ? {} : { error }), console });
  const failure = kind === 'configure' ? 'The options could not be read' : 'additionalProps failed';
  const message = `${failure}: ${error === undefined ? 'no reason is known' : `${error.name}: ${error.message}`}`;
  throw new ApiProblem(400, 'call_failed', message, details === undefined ? {} : { details });
}

const isOfKind = <Kind extends FormCallKind>(
  returned: FormCallResult | undefined,
  kind: Kind,
): returned is Extract<FormCallResult, { kind: Kind }> => returned?.kind === kind;
