// `/v1/data_stores`: maps that the sources of a workspace share; the owner of the stores reads and changes them.
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { idBytes, idFromBytes, isId } from '../../../../domain/id.ts';
import type { StoreInfo, StoreQuestion } from '../../../../domain/store/question.ts';
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { isKeyTied } from '../../../../domain/definition/recorded-requests.ts';
import { idsOfKey } from '../../commands/ids-of-key.ts';
import type { Caller } from '../../control/api-keys.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { ApiProblem, notFound } from '../../http/api-problem.ts';
import { cursorOfId, idOfCursor } from '../../http/pages/cursor.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { IdempotencyKey } from '../../http/input/idempotency-key.ts';
import { Input } from '../../http/input/input.ts';
import { PagingDto } from '../../http/pages/paging.dto.ts';
import { ApiCreates, ApiDeletes, ApiReads } from '../../openapi/operation.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { checkId } from '../owned-documents.ts';
import { readPageOf } from '../lists/page-reader.ts';
import { InMemoryList } from '../lists/in-memory-list.ts';
import { CreateDataStoreDto, DataStoreRecord, presentStore } from './data-stores.dto.ts';

type RequiredParts = Parts<'stores' | 'ambient'>;

type NewStoreIds = Pick<Extract<StoreQuestion, { readonly op: 'create' }>, 'store' | 'others'>;

@ApiTags('data stores')
@UseGuards(ApiKeyGuard)
@Controller('v1/data_stores')
export class DataStoresController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Post()
  @HttpCode(200)
  @ApiCreates({
    summary: 'Create a data store, for props of type `data_store`',
    description: 'A workspace may have 100: 426 `store_full` beyond.',
    input: CreateDataStoreDto,
    record: DataStoreRecord,
  })
  async createDataStore(
    @CalledBy() caller: Caller,
    @IdempotencyKey() idempotencyKey: string | null,
    @Input(CreateDataStoreDto) input: CreateDataStoreDto,
  ): Promise<RecordAnswer<DataStoreRecord>> {
    const { name } = input;
    const ids = await this.#newStoreIds(caller, idempotencyKey);
    const info = infoOf(await this.#parts.stores.ask(caller, { op: 'create', ...ids, name }));
    if (info.name !== name) throw keyReusedProblem();
    return { data: selectFields(presentStore(info), input) };
  }

  @Get()
  @ApiReads({ summary: 'List data stores, newest first', input: PagingDto, record: DataStoreRecord, shape: 'page' })
  async listDataStores(
    @CalledBy() caller: Caller,
    @Input(PagingDto) input: PagingDto,
  ): Promise<PageAnswer<DataStoreRecord>> {
    const answer = await this.#parts.stores.ask(caller, { op: 'stores' });
    const storeList = new InMemoryList('stores' in answer ? answer.stores : [], ({ id }) => id);
    const cursors = {
      positionOfCursor: (cursor: string) => storeList.positionOf(idOfCursor(cursor, (text) => isId('ds', text))),
      cursorOf: ({ id }: ViewDocument) => cursorOfId(id),
    };
    const { page_info, documents } = await readPageOf(storeList, cursors, input);
    return { page_info, data: documents.map(({ id }) => selectFields(presentStore(storeList.record(id)), input)) };
  }

  @Get(':id')
  @ApiReads({ summary: 'Get a data store', input: AnyRequestDto, record: DataStoreRecord })
  async getDataStore(
    @CalledBy() caller: Caller,
    @Param('id') store: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<DataStoreRecord>> {
    checkId('ds', store);
    const info = infoOf(await this.#parts.stores.ask(caller, { op: 'store', store }));
    return { data: selectFields(presentStore(info), input) };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiDeletes({
    summary: 'Delete a data store with all that is in it',
    description: 'Sources that name it keep running, and their accesses to it fail.',
    input: AnyRequestDto,
  })
  async deleteDataStore(
    @CalledBy() caller: Caller,
    @Param('id') store: string,
    @Input(AnyRequestDto) _input: AnyRequestDto,
  ): Promise<void> {
    checkId('ds', store);
    await this.#parts.stores.ask(caller, { op: 'remove', store });
  }

  /** The id of a store to create, or of the one that the same request created; `others`: further ids it can have. */
  async #newStoreIds(caller: Caller, key: string | null): Promise<NewStoreIds> {
    const { ambient, stores } = this.#parts;
    if (key === null) return { store: idFromBytes('ds', ambient.randomBytes(idBytes)) };
    const now = ambient.now();
    const ids = idsOfKey('ds', { workspace: caller.workspace, key, now });
    const answer = await stores.ask(caller, { op: 'stores' });
    const known = 'stores' in answer ? answer.stores : [];
    const existing = known.find(({ id, createdAt }) => ids.includes(id) && isKeyTied(createdAt, now));
    return existing === undefined ? { store: ids[0], others: ids.slice(1) } : { store: existing.id };
  }
}

function infoOf(answer: object): StoreInfo {
  if ('store' in answer) return answer.store as StoreInfo;
  throw notFound();
}

const keyReusedProblem = (): ApiProblem =>
  new ApiProblem(409, 'idempotency_conflict', 'The Idempotency-Key was used for another request.');
