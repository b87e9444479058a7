// Runs a trigger that has no source: it carries code, the URL of code, or a search in the registry.
import { isFormCall } from '../../../domain/call/call.ts';
import { programOf } from '../../../domain/component/program/program.ts';
import type { Program } from '../../../domain/component/program/program.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import type { Forms } from '../calls/forms.ts';
import { CodeFetcher } from '../fetching/code-fetcher.ts';
import type { CodeFetcherOptions } from '../fetching/code-fetcher.ts';
import type { ExecutionMode } from '../lanes/dispatcher-options.ts';
import { describeToSaveResult } from '../outcome/describe-to-save-result.ts';
import { refusedResult } from '../outcome/trigger-result.ts';
import type { Attempt, TriggerResult } from '../outcome/trigger-result.ts';

export interface SourcelessTriggersOptions extends CodeFetcherOptions {
  readonly forms: Pick<Forms, 'answerForCode' | 'describe'>;
}

export class SourcelessTriggers {
  readonly #options: SourcelessTriggersOptions;
  readonly #fetcher: CodeFetcher;

  constructor(options: SourcelessTriggersOptions) {
    this.#options = options;
    this.#fetcher = new CodeFetcher(options);
  }

  /** Undefined: the invocation was lost, or the runner has ended. */
  async run(attempt: Attempt, record: Trigger, mode: ExecutionMode): Promise<TriggerResult | undefined> {
    const { code = '', url, find: search, kind } = record.data;
    if (isFormCall(kind)) return this.#answerForm(attempt, record, mode);
    if (search !== undefined) return this.#fetcher.findInRegistry(attempt, search);
    if (url !== undefined) return this.#fetcher.fetch(attempt, url, mode);
    return this.#describe(attempt, { ...record.data, code });
  }

  async #describe(attempt: Attempt, program: Program): Promise<TriggerResult> {
    const { forms, ambient } = this.#options;
    const { outcome, lock } = await forms.describe(programOf(program), attempt.trigger.workspace);
    return describeToSaveResult(attempt, outcome, { took: ambient.now() - attempt.startedAt, lock });
  }

  async #answerForm(attempt: Attempt, record: Trigger, mode: ExecutionMode): Promise<TriggerResult | undefined> {
    try {
      return await this.#options.forms.answerForCode(attempt, record, mode);
    } catch (error) {
      if (error instanceof PortError) throw error;
      return refusedResult(
        attempt,
        'What is asked cannot be opened with the data key of this workspace',
        'SealedError',
      );
    }
  }
}
