// `/v1/history/keys`: the keys that sign checkpoints. Anybody may read them; the operator may change them.
import { Controller, Get, Headers, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { isOperator } from '../../../../loop/operator/operator-key.ts';
import { StageSettings } from '../../../../loop/settings.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { selectFields } from '../../../http/answer-envelope.ts';
import type { RecordAnswer } from '../../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import { forbidden } from '../../../http/api-problem.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import { Input } from '../../../http/input/input.ts';
import { ApiActs, ApiReads } from '../../../openapi/operation.ts';
import { GatewayParts } from '../../../parts/parts.ts';
import type { Parts } from '../../../parts/parts.ts';
import { SignedHistory } from '../signed/signed-history.ts';
import { changeKey } from './change-key.ts';
import { AuditKeyRecord, presentKey } from './keys.dto.ts';

@ApiTags('history')
@UseGuards(ApiKeyGuard)
@Controller('v1/history/keys')
export class AuditKeysController {
  readonly #history: SignedHistory;
  readonly #parts: Parts<'commands' | 'limits'>;
  readonly #settings: Pick<StageSettings, 'dataDir'>;

  constructor(
    @Inject(SignedHistory) history: SignedHistory,
    @Inject(GatewayParts) parts: Parts<'commands' | 'limits'>,
    @Inject(StageSettings) settings: StageSettings,
  ) {
    this.#history = history;
    this.#parts = parts;
    this.#settings = settings;
  }

  @Get()
  @ApiReads({
    summary: 'The public keys that checkpoints are verified with, oldest first',
    input: AnyRequestDto,
    record: AuditKeyRecord,
    shape: 'many',
  })
  async listAuditKeys(
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<{ readonly data: readonly AuditKeyRecord[] }> {
    const { trees } = this.#history;
    await trees.catchUp();
    return { data: trees.keys.map((key) => selectFields(presentKey(key), input)) };
  }

  @Post()
  @HttpCode(200)
  @ApiActs({
    summary: 'Change the key that signs checkpoints',
    description:
      'For the operator: 403 without the API key in the file `api-key` of the data directory. The next checkpoint of each partition is signed by the former key, too.',
    input: AnyRequestDto,
    record: AuditKeyRecord,
  })
  async changeAuditKey(
    @CalledBy() caller: Caller,
    @Headers('authorization') authorization: string | undefined,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<AuditKeyRecord>> {
    if (!(await isOperator(this.#settings.dataDir, authorization)))
      throw forbidden(
        'Only the operator changes the audit key: send the key in the file api-key of the data directory.',
      );
    const newKey = await changeKey(this.#parts, caller, this.#history.trees);
    return { data: selectFields(presentKey(newKey), input) };
  }
}
