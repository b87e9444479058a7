// `/v1/data_stores/ID/records` and `/record`: the records of a store. Keys are parameters: parts of a path are bounded.
import { Controller, Delete, Get, HttpCode, Inject, Param, Put, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { jsonDepthMax } from '../../../../domain/json.ts';
import { sizes } from '../../../../domain/sizes.ts';
import type { StoreRecord } from '../../../../domain/store/question.ts';
import type { Caller } from '../../control/api-keys.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { notFound } from '../../http/api-problem.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { dataValuesMax } from '../../http/json/json-scan.ts';
import { cursorOfId, idOfCursor } from '../../http/pages/cursor.ts';
import { Input } from '../../http/input/input.ts';
import { limitDefault } from '../../http/pages/paging.dto.ts';
import { ApiDeletes, ApiReads, ApiUpdates } from '../../openapi/operation.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { checkId } from '../owned-documents.ts';
import {
  DataStoreEntryRecord,
  DataStoreRecordDto,
  DataStoreRecordsDto,
  presentEntry,
  SetDataStoreRecordDto,
} from './data-stores.dto.ts';

/** The bounds of a value inside the body. */
const bodyJson = { levelsMax: jsonDepthMax, valuesMax: dataValuesMax };

type RequiredParts = Parts<'stores'>;

@ApiTags('data stores')
@UseGuards(ApiKeyGuard)
@Controller('v1/data_stores/:id')
export class RecordsController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Get('records')
  @ApiReads({
    summary: 'List what is in a data store',
    description: 'A page also ends at 512 KiB.',
    input: DataStoreRecordsDto,
    record: DataStoreEntryRecord,
    shape: 'page',
    order: 'in the order in which the keys were set first',
  })
  async listRecords(
    @CalledBy() caller: Caller,
    @Param('id') store: string,
    @Input(DataStoreRecordsDto) input: DataStoreRecordsDto,
  ): Promise<PageAnswer<DataStoreEntryRecord>> {
    checkId('ds', store);
    const { limit = limitDefault, after } = input;
    const afterOption = after === undefined || after === '' ? {} : { after: slotOf(after) };
    const answer = await this.#parts.stores.ask(caller, { op: 'entries', store, limit, ...afterOption });
    if (!('page' in answer)) throw notFound();
    const { records, total, first, last } = answer.page;
    const cursor = (slot?: number): string | null => (slot === undefined ? null : cursorOfId(String(slot)));
    const page_info = {
      total_count: total,
      count: records.length,
      start_cursor: cursor(first),
      end_cursor: cursor(last),
    };
    return { page_info, data: records.map((record) => selectFields(presentEntry(record), input)) };
  }

  @Get('record')
  @ApiReads({
    summary: 'Get the value of a key of a data store',
    input: DataStoreRecordDto,
    record: DataStoreEntryRecord,
  })
  async getRecord(
    @CalledBy() caller: Caller,
    @Param('id') store: string,
    @Input(DataStoreRecordDto) input: DataStoreRecordDto,
  ): Promise<RecordAnswer<DataStoreEntryRecord>> {
    checkId('ds', store);
    return { data: selectFields(presentEntry(await this.#read(caller, store, input.key)), input) };
  }

  @Put('record')
  @ApiUpdates({
    summary: 'Set a key of a data store',
    description: '426 `store_full` beyond 10,000 keys in a store, or 16 MiB in all stores of the workspace.',
    bodyBytesMax: sizes.storeBodyBytes,
    bodyJson,
    input: SetDataStoreRecordDto,
    record: DataStoreEntryRecord,
  })
  async setRecord(
    @CalledBy() caller: Caller,
    @Param('id') store: string,
    @Input(SetDataStoreRecordDto) input: SetDataStoreRecordDto,
  ): Promise<RecordAnswer<DataStoreEntryRecord>> {
    checkId('ds', store);
    const { key, value, ttl } = input;
    if (value === undefined) throw problemsOf([{ field: 'value', message: 'value is required' }]);
    const ttlOption = ttl === undefined || ttl === null ? {} : { ttl };
    const answer = await this.#parts.stores.ask(caller, { op: 'set', store, key, value, ...ttlOption });
    const record = 'record' in answer && answer.record !== undefined ? answer.record : { key, value, expiresAt: null };
    return { data: selectFields(presentEntry({ ...record, value }), input) };
  }

  @Delete('record')
  @HttpCode(204)
  @ApiDeletes({ summary: 'Delete a key of a data store', input: DataStoreRecordDto })
  async deleteRecord(
    @CalledBy() caller: Caller,
    @Param('id') store: string,
    @Input(DataStoreRecordDto) input: DataStoreRecordDto,
  ): Promise<void> {
    checkId('ds', store);
    const answer = await this.#parts.stores.ask(caller, { op: 'delete', store, key: input.key });
    if (!('found' in answer) || !answer.found) throw notFound();
  }

  async #read(caller: Caller, store: string, key: string): Promise<StoreRecord> {
    const answer = await this.#parts.stores.ask(caller, { op: 'get', store, key });
    if ('record' in answer && answer.record !== undefined) return answer.record;
    throw notFound();
  }
}

const slotOf = (cursor: string): number => Number(idOfCursor(cursor, (text) => /^\d{1,15}$/.test(text)));
