// `/v1/webhooks`: creates, lists, changes, tests and deletes the webhooks to which events are delivered.
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ListenerCommand } from '../../../../domain/listener/messages.ts';
import { overlapBounds } from '../../../../domain/listener/webhook/settings.ts';
import type { WebhookView } from '../../../../domain/views/index.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiActs, ApiCalls, ApiCreates, ApiDeletes, ApiLists, ApiReads, ApiUpdates } from '../../openapi/operation.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { unknownOutcome } from '../../http/api-problem.ts';
import { cursorOfId } from '../../http/pages/cursor.ts';
import { IdempotencyKey } from '../../http/input/idempotency-key.ts';
import { Input } from '../../http/input/input.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { presentAttempt } from '../deliveries/delivery.presenter.ts';
import { AttemptRecord } from '../deliveries/delivery-record.dto.ts';
import { checkId, positionByCreation, readOwned } from '../owned-documents.ts';
import { readSearchedPage } from '../lists/searched-list.ts';
import type { SearchableViewList } from '../lists/searched-list.ts';
import { changesOf, newSettings, requestedSignature } from './webhook-settings.ts';
import { createWebhook } from './create-webhook.ts';
import { regenerateKey } from './keys/regenerate-key.ts';
import { testWebhook } from './test/test-webhook.ts';
import { updateWebhook } from './update-webhook.ts';
import { presentWebhook, textsOfWebhook } from './webhook.presenter.ts';
import { NewWebhookRecord, WebhookRecord } from './webhook-record.dto.ts';
import { CreateWebhookDto, RegenerateKeyDto, UpdateWebhookDto, WebhooksDto } from './webhooks.dto.ts';

type DeleteWebhook = Extract<ListenerCommand, { type: 'DeleteWebhook' }>;

type RequiredParts = Parts<
  | 'failingSince'
  | 'secrets'
  | 'definitions'
  | 'deleted'
  | 'views'
  | 'commands'
  | 'log'
  | 'webhookTests'
  | 'limits'
  | 'ambient'
  | 'instanceId'
>;

@ApiTags('webhooks')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class WebhooksController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Post('webhooks')
  @HttpCode(200)
  @ApiCreates({
    summary: 'Create a webhook; only this answer has its signing key',
    input: CreateWebhookDto,
    record: NewWebhookRecord,
  })
  async createWebhook(
    @CalledBy() caller: Caller,
    @IdempotencyKey() idempotencyKey: string | null,
    @Input(CreateWebhookDto) input: CreateWebhookDto,
  ): Promise<RecordAnswer<NewWebhookRecord>> {
    const { signature, headers } = input;
    const webhookInput = {
      settings: newSettings(input),
      signature: signature ?? 'hmac-sha256',
      headers: headers ?? {},
    };
    return { data: selectFields(await createWebhook(this.#parts, caller, webhookInput, idempotencyKey), input) };
  }

  @Put('webhooks/:id')
  @ApiUpdates({
    summary: 'Update a webhook: what is not given stays',
    description: 'The answer has a `signing_key` only when `signature` was changed to `hmac-sha256`.',
    input: UpdateWebhookDto,
    record: NewWebhookRecord,
  })
  async updateWebhook(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(UpdateWebhookDto) input: UpdateWebhookDto,
  ): Promise<RecordAnswer<NewWebhookRecord>> {
    const headers = input.headers === undefined ? undefined : (input.headers ?? {});
    const update = { changes: changesOf(input), signature: requestedSignature(input), headers };
    return { data: selectFields(await updateWebhook(this.#parts, caller, id, update), input) };
  }

  @Post('webhooks/:id/regenerate_signing_key')
  @HttpCode(200)
  @ApiCreates({
    summary: 'Sign with a new key, for a while with the former ones too; only this answer has it',
    input: RegenerateKeyDto,
    record: NewWebhookRecord,
  })
  async regenerateSigningKey(
    @CalledBy() caller: Caller,
    @Param('id') webhookId: string,
    @IdempotencyKey() idempotencyKey: string | null,
    @Input(RegenerateKeyDto) input: RegenerateKeyDto,
  ): Promise<RecordAnswer<NewWebhookRecord>> {
    const regenerateInput = {
      webhookId,
      idempotencyKey,
      overlapSeconds: input.overlap_seconds ?? overlapBounds.default,
    };
    return { data: selectFields(await regenerateKey(this.#parts, caller, regenerateInput), input) };
  }

  @Post('webhooks/:id/pause')
  @HttpCode(200)
  @ApiActs({ summary: 'Send nothing to a webhook: its events wait', input: AnyRequestDto, record: WebhookRecord })
  pauseWebhook(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<WebhookRecord>> {
    return this.#setActive(caller, id, { active: false, input });
  }

  @Post('webhooks/:id/resume')
  @HttpCode(200)
  @ApiActs({ summary: 'Go on sending to a webhook where it was', input: AnyRequestDto, record: WebhookRecord })
  resumeWebhook(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<WebhookRecord>> {
    return this.#setActive(caller, id, { active: true, input });
  }

  @Post('webhooks/:id/test')
  @HttpCode(200)
  @ApiCalls({
    summary: 'Send a signed sample event to a webhook now',
    description: 'Also to one that is inactive. The attempt is answered, whether the receiver took it or not.',
    input: AnyRequestDto,
    record: AttemptRecord,
    called: 'The attempt, which has ended',
  })
  async testWebhook(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<AttemptRecord>> {
    return { data: selectFields(presentAttempt(await testWebhook(this.#parts, caller, id)), input) };
  }

  @Get('webhooks')
  @ApiLists({ summary: 'List webhooks, newest first', input: WebhooksDto, record: WebhookRecord })
  async listWebhooks(
    @CalledBy() caller: Caller,
    @Input(WebhooksDto) input: WebhooksDto,
  ): Promise<PageAnswer<WebhookRecord>> {
    const list: SearchableViewList = {
      view: 'webhooks',
      ...indexQueryOf(caller, input),
      positionOfCursor: positionByCreation(this.#parts, caller, 'webhooks', 'wh'),
      cursorOf: ({ id }) => cursorOfId(id),
      textsOf: textsOfWebhook,
      sortOf: (value) => (value as WebhookView).createdAt,
    };
    const { page_info, documents } = await readSearchedPage(this.#parts.views(), list, input);
    const data = documents.map(({ value }) => selectFields(presentWebhook(this.#parts, value as WebhookView), input));
    return { page_info, data };
  }

  @Get('users/me/webhooks')
  @ApiLists({ summary: 'As listWebhooks', input: WebhooksDto, record: WebhookRecord })
  listMyWebhooks(
    @CalledBy() caller: Caller,
    @Input(WebhooksDto) input: WebhooksDto,
  ): Promise<PageAnswer<WebhookRecord>> {
    return this.listWebhooks(caller, input);
  }

  @Get('webhooks/:id')
  @ApiReads({ summary: 'Get a webhook', input: AnyRequestDto, record: WebhookRecord })
  async getWebhook(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<WebhookRecord>> {
    const webhook = await readOwned(this.#parts, caller, 'webhooks', id);
    return { data: selectFields(presentWebhook(this.#parts, webhook), input) };
  }

  @Delete('webhooks/:id')
  @HttpCode(204)
  @ApiDeletes({ summary: 'Delete a webhook and its subscriptions', input: AnyRequestDto })
  async deleteWebhook(
    @CalledBy() caller: Caller,
    @Param('id') webhookId: string,
    @Input(AnyRequestDto) _input: AnyRequestDto,
  ): Promise<void> {
    checkId('wh', webhookId);
    const command: Command<DeleteWebhook> = { type: 'DeleteWebhook', key: webhookId, data: { webhookId } };
    const endings = ['WebhookDeleted', 'WebhookDeleteRefused'] as const;
    const outcome = await this.#parts.commands.send(caller, command, { endings });
    if (outcome === undefined) throw unknownOutcome();
    if (outcome.type === 'WebhookDeleteRefused') throw refusalProblem(outcome.data);
  }

  async #setActive(
    caller: Caller,
    id: string,
    { active, input }: { readonly active: boolean; readonly input: AnyRequestDto },
  ): Promise<RecordAnswer<WebhookRecord>> {
    return { data: selectFields(await updateWebhook(this.#parts, caller, id, { changes: { active } }), input) };
  }
}

/** Throws ApiProblem 400. */
function indexQueryOf({ workspace }: Caller, { name, url }: WebhooksDto): Pick<SearchableViewList, 'index' | 'equals'> {
  if (name && url) throw problemsOf([{ field: 'url', message: 'Give `name` or `url`, not both' }]);
  if (name) return { index: 'byName', equals: [workspace, name] };
  return url ? { index: 'byUrl', equals: [workspace, url] } : { index: 'byWorkspace', equals: [workspace] };
}
