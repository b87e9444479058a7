// `/v1/accounts`: the credentials with which components reach an app.
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AccountView } from '../../../../domain/views/index.ts';
import { hasScope } from '../../control/api-keys.ts';
import type { ApiKey, Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy, CallingKey } from '../../http/api-key.guard.ts';
import { forbidden } from '../../http/api-problem.ts';
import { cursorOfId } from '../../http/pages/cursor.ts';
import { IdempotencyKey } from '../../http/input/idempotency-key.ts';
import { Input } from '../../http/input/input.ts';
import { ApiCreates, ApiDeletes, ApiLists, ApiReads, ApiUpdates } from '../../openapi/operation.ts';
import { positionByCreation, readOwned } from '../owned-documents.ts';
import { readSearchedPage } from '../lists/searched-list.ts';
import type { SearchableViewList } from '../lists/searched-list.ts';
import { createAccount, deleteAccount, updateAccount } from './account-commands.ts';
import { AccountRecord } from './account-record.dto.ts';
import { presentAccount, textsOfAccount } from './account.presenter.ts';
import {
  AccountDto,
  AccountsDto,
  CreateAccountDto,
  DeleteAccountDto,
  isSet,
  UpdateAccountDto,
} from './accounts.dto.ts';

type RequiredParts = Parts<'secrets' | 'deleted' | 'views' | 'commands' | 'ambient'>;

@ApiTags('accounts')
@UseGuards(ApiKeyGuard)
@Controller('v1/accounts')
export class AccountsController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Post()
  @HttpCode(200)
  @ApiCreates({
    summary: 'Connect an account: keep the credentials of an app, sealed',
    input: CreateAccountDto,
    record: AccountRecord,
  })
  async createAccount(
    @CalledBy() caller: Caller,
    @IdempotencyKey() idempotencyKey: string | null,
    @Input(CreateAccountDto) input: CreateAccountDto,
  ): Promise<RecordAnswer<AccountRecord>> {
    const { app, name = null, credentials } = input;
    const account = await createAccount(this.#parts, caller, { app, name, credentials }, idempotencyKey);
    return { data: selectFields(presentAccount(account), input) };
  }

  @Put(':id')
  @ApiUpdates({
    summary: 'Rename an account, or replace its credentials: the next run of every source that uses it has them',
    input: UpdateAccountDto,
    record: AccountRecord,
  })
  async updateAccount(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(UpdateAccountDto) input: UpdateAccountDto,
  ): Promise<RecordAnswer<AccountRecord>> {
    return { data: selectFields(presentAccount(await updateAccount(this.#parts, caller, id, input)), input) };
  }

  @Get()
  @ApiLists({ summary: 'List accounts, newest first', input: AccountsDto, record: AccountRecord })
  async listAccounts(
    @CallingKey() caller: ApiKey,
    @Input(AccountsDto) input: AccountsDto,
  ): Promise<PageAnswer<AccountRecord>> {
    const { workspace } = caller;
    const indexQuery =
      typeof input.app === 'string'
        ? { index: 'byApp', equals: [workspace, input.app] }
        : { index: 'byWorkspace', equals: [workspace] };
    const list: SearchableViewList = {
      view: 'accounts',
      ...indexQuery,
      positionOfCursor: positionByCreation(this.#parts, caller, 'accounts', 'apn'),
      cursorOf: ({ id }) => cursorOfId(id),
      textsOf: textsOfAccount,
      sortOf: (value) => (value as AccountView).createdAt,
    };
    const present = this.#presenter(caller, isSet(input.include_credentials));
    const { page_info, documents } = await readSearchedPage(this.#parts.views(), list, input);
    return { page_info, data: documents.map(({ value }) => selectFields(present(value as AccountView), input)) };
  }

  @Get(':id')
  @ApiReads({ summary: 'Get an account', input: AccountDto, record: AccountRecord })
  async getAccount(
    @CallingKey() caller: ApiKey,
    @Param('id') id: string,
    @Input(AccountDto) input: AccountDto,
  ): Promise<RecordAnswer<AccountRecord>> {
    const present = this.#presenter(caller, isSet(input.include_credentials));
    const account = await readOwned(this.#parts, caller, 'accounts', id);
    return { data: selectFields(present(account), input) };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiDeletes({
    summary: 'Delete an account',
    description: 'While sources use it: 409 `account_in_use`, unless `force=true`.',
    input: DeleteAccountDto,
  })
  async deleteAccount(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(DeleteAccountDto) input: DeleteAccountDto,
  ): Promise<void> {
    await deleteAccount(this.#parts, caller, id, input.force === true);
  }

  /** Throws ApiProblem 403 if a read-only key asks for credentials: these could be used to write elsewhere. */
  #presenter(caller: ApiKey, withCredentials: boolean): (account: AccountView) => AccountRecord {
    if (!withCredentials) return (account) => presentAccount(account);
    if (!hasScope(caller, 'write'))
      throw forbidden('The API key lacks the scope write, which include_credentials needs: use another one.');
    return (account) => {
      const credentials = this.#parts.secrets.unseal(caller.workspace, account.credentials);
      return presentAccount(account, credentials as Readonly<Record<string, string>>);
    };
  }
}
