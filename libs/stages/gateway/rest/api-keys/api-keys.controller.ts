// `/v1/api_keys`: the keys of the caller's workspace, as they are in memory.
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { isId } from '../../../../domain/id.ts';
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import type { ApiKeyCommand } from '../../../../domain/workspace/api-keys/messages.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { ApiKey, Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy, CallingKey } from '../../http/api-key.guard.ts';
import { notFound, unknownOutcome } from '../../http/api-problem.ts';
import { cursorOfId, idOfCursor } from '../../http/pages/cursor.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { IdempotencyKey } from '../../http/input/idempotency-key.ts';
import { Input } from '../../http/input/input.ts';
import { PagingDto } from '../../http/pages/paging.dto.ts';
import { ApiCreates, ApiDeletes, ApiReads } from '../../openapi/operation.ts';
import { checkId } from '../owned-documents.ts';
import { readPageOf } from '../lists/page-reader.ts';
import { InMemoryList } from '../lists/in-memory-list.ts';
import { ApiKeyRecord, NewApiKeyRecord, presentApiKey } from './api-key-record.dto.ts';
import { CreateApiKeyDto } from './api-keys.dto.ts';
import { createApiKey } from './create-api-key.ts';

type DeleteApiKey = Extract<ApiKeyCommand, { type: 'DeleteApiKey' }>;

type RequiredParts = Parts<'access' | 'secrets' | 'commands' | 'ambient'>;

@ApiTags('api keys')
@UseGuards(ApiKeyGuard)
@Controller('v1/api_keys')
export class ApiKeysController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Post()
  @HttpCode(200)
  @ApiCreates({
    summary: 'Create an API key; only this answer has it',
    description: 'It is of the same workspace and user as the key that asks, and has no scope that this lacks.',
    input: CreateApiKeyDto,
    record: NewApiKeyRecord,
  })
  async createApiKey(
    @CallingKey() caller: ApiKey,
    @IdempotencyKey() idempotencyKey: string | null,
    @Input(CreateApiKeyDto) input: CreateApiKeyDto,
  ): Promise<RecordAnswer<NewApiKeyRecord>> {
    return { data: selectFields(await createApiKey(this.#parts, caller, input, idempotencyKey), input) };
  }

  @Get()
  @ApiReads({ summary: 'List API keys, newest first', input: PagingDto, record: ApiKeyRecord, shape: 'page' })
  async listApiKeys(
    @CalledBy() { workspace }: Caller,
    @Input(PagingDto) input: PagingDto,
  ): Promise<PageAnswer<ApiKeyRecord>> {
    // From the memory with which keys are checked, so that the list has exactly the keys that are admitted.
    const keyList = new InMemoryList(await this.#parts.access.keysOf(workspace), ({ keyId }) => keyId);
    const cursors = {
      positionOfCursor: (cursor: string) => keyList.positionOf(idOfCursor(cursor, (text) => isId('key', text))),
      cursorOf: ({ id }: ViewDocument) => cursorOfId(id),
    };
    const { page_info, documents } = await readPageOf(keyList, cursors, input);
    const data = documents.map(({ id }) =>
      selectFields(presentApiKey(keyList.record(id), this.#parts.access.keyUses), input),
    );
    return { page_info, data };
  }

  @Get(':id')
  @ApiReads({ summary: 'Get an API key', input: AnyRequestDto, record: ApiKeyRecord })
  async getApiKey(
    @CalledBy() { workspace }: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<ApiKeyRecord>> {
    checkId('key', id);
    const key = (await this.#parts.access.keysOf(workspace)).find(({ keyId }) => keyId === id);
    if (key === undefined) throw notFound();
    return { data: selectFields(presentApiKey(key, this.#parts.access.keyUses), input) };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiDeletes({
    summary: 'Delete an API key: within a second it is refused everywhere, and its streams and sessions end',
    description: 'The last one with the scope `write` that has not expired cannot be deleted: 409 `last_key`.',
    input: AnyRequestDto,
  })
  async deleteApiKey(
    @CalledBy() caller: Caller,
    @Param('id') keyId: string,
    @Input(AnyRequestDto) _input: AnyRequestDto,
  ): Promise<void> {
    checkId('key', keyId);
    const command: Command<DeleteApiKey> = { type: 'DeleteApiKey', key: keyId, data: { keyId } };
    const endings = ['ApiKeyDeleted', 'ApiKeyDeleteRefused'] as const;
    const outcome = await this.#parts.commands.send(caller, command, { endings });
    if (outcome === undefined) throw unknownOutcome();
    if (outcome.type === 'ApiKeyDeleteRefused') throw refusalProblem(outcome.data);
  }
}
