// Asks a component for what a form needs: the options of a prop, or the props that apply to the values so far.
import type { FormCallKind } from '../../../../domain/call/call.ts';
import type { FormAnswer, FormAsked, FormReturned } from '../../../../domain/call/form.ts';
import { codeAndPropsTooLarge } from '../../../../domain/source/process/deploy.ts';
import { isTooLarge } from '../../../../domain/source/process/configure.ts';
import { codeHashOf } from '../../../../domain/component/program/program.ts';
import { derivedId } from '../../../../domain/id.ts';
import type { JsonObject } from '../../../../domain/json.ts';
import type { SourceView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { ApiProblem, notFound, tooLarge } from '../../http/api-problem.ts';
import { askedProgram, neededCode } from '../code/asked-code.ts';
import type { CallDesk } from '../sources/calls/call-desk.ts';
import { checkConfiguredProps } from '../sources/configured-props.ts';
import { checkProgram } from '../code/check-program.ts';
import { shownError } from '../code/shown-error.ts';
import { withoutShown } from '../sources/update/update-source.ts';
import type { ComponentPropsDto, SourceConfigureDto, SourcePropsDto } from './forms.dto.ts';

/** What the component returned, with what it printed. */
export interface FormResult<Kind extends FormCallKind = FormCallKind> {
  readonly returned: Extract<FormReturned, { kind: Kind }>;
  readonly console: FormAnswer['console'];
}

export interface Asking<Kind extends FormCallKind> {
  readonly kind: Kind;
  readonly input: SourcePropsDto & Partial<SourceConfigureDto>;
}

type Needed = Parts<'secrets' | 'views' | 'commands' | 'ambient' | 'log'>;

export class FormDesk {
  readonly #parts: Needed;
  readonly #calls: CallDesk;

  constructor(parts: Needed, calls: CallDesk) {
    this.#parts = parts;
    this.#calls = calls;
  }

  /** Asks a deployed source: with its own values, which those of the form override. Throws ApiProblem or PortError. */
  async ofSource<Kind extends FormCallKind>(
    caller: Caller,
    source: SourceView,
    { kind, input }: Asking<Kind>,
  ): Promise<FormResult<Kind>> {
    const { state } = source;
    if (state === 'deleting' || state === 'refused') throw notFound({ state });
    if (state === 'deploying')
      throw new ApiProblem(409, 'busy', `The source ${source.sourceId} is being deployed: wait until that has ended.`);
    const asked = this.#sealed(caller, input);
    return resultOf(kind, await this.#calls.ask(caller, source, { kind, asked }));
  }

  /** Asks a component that is not deployed. Calls of the same code run one by one, those of others concurrently. */
  async ofComponent<Kind extends FormCallKind>(
    caller: Caller,
    component: ComponentPropsDto,
    { kind, input }: Asking<Kind>,
  ): Promise<FormResult<Kind>> {
    const asked = this.#sealed(caller, input);
    const program = await askedProgram(this.#parts, caller, neededCode(component), { fingerprint: null });
    checkProgram(program);
    if (isTooLarge({ ...program, asked })) throw tooLarge(codeAndPropsTooLarge.message);
    const { workspace } = caller;
    const of = { sourceId: derivedId('form', workspace, codeHashOf(program)), revision: 1, workspace };
    return resultOf(kind, await this.#calls.ask(caller, of, { kind, asked, ...program }));
  }

  #sealed(caller: Caller, input: Asking<FormCallKind>['input']) {
    const given: JsonObject = input.configured_props ?? {};
    checkConfiguredProps(given);
    const { prop_name: propName, page, prev_context: prevContext, query } = input;
    const asked: FormAsked = {
      configuredProps: withoutShown(given),
      ...(propName === undefined ? {} : { propName }),
      ...((page ?? null) === null ? {} : { page: Number(page) }),
      ...((prevContext ?? null) === null ? {} : { prevContext: prevContext ?? null }),
      ...(typeof query === 'string' ? { query } : {}),
    };
    return this.#parts.secrets.seal(caller.workspace, { ...asked });
  }
}

function resultOf<Kind extends FormCallKind>(
  kind: Kind,
  { returned, problems, error, console }: FormAnswer,
): FormResult<Kind> {
  if (problems !== undefined) {
    const shown = problems.map(({ prop, message }) => ({ field: prop, message }));
    const message = error?.message ?? 'The props are wrong.';
    throw new ApiProblem(400, 'props_invalid', message, { details: { problems: shown } });
  }
  if (isOf(returned, kind)) return { returned, console };
  const details = shownError({ ...(error === undefined ? {} : { error }), console });
  const what = kind === 'configure' ? 'The options could not be read' : 'additionalProps failed';
  const message = `${what}: ${error === undefined ? 'no reason is known' : `${error.name}: ${error.message}`}`;
  throw new ApiProblem(400, 'call_failed', message, details === undefined ? {} : { details });
}

const isOf = <Kind extends FormCallKind>(
  returned: FormReturned | undefined,
  kind: Kind,
): returned is Extract<FormReturned, { kind: Kind }> => returned?.kind === kind;
