// `/v1/subscriptions/ID/replays`: sends past events to a subscription again.
import { Controller, createParamDecorator, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isId } from '../../../../../domain/id.ts';
import type { ReplayView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { GatewayParts } from '../../../parts/parts.ts';
import type { Parts } from '../../../parts/parts.ts';
import { chosenFields } from '../../../http/answer.ts';
import type { Many, One } from '../../../http/answer.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import { invalidRequest, notFound } from '../../../http/api-problem.ts';
import { cursorOfId, expiredCursor, idOfCursor } from '../../../http/pages/cursor.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import { readIdempotencyKey } from '../../../http/input/idempotency-key.ts';
import { Input } from '../../../http/input/input.ts';
import { PagingDto } from '../../../http/pages/paging.dto.ts';
import { ApiAccepts, ApiLists, ApiReads, ApiReplays } from '../../../openapi/operation.ts';
import { checkId, findOwned, readOwned } from '../../owned.ts';
import { readPage } from '../../lists/page-reader.ts';
import type { Place } from '../../lists/listed.ts';
import { ReplayCountRecord, ReplayRecord } from './replay-record.dto.ts';
import { cancelReplay, requestReplay } from './replay-requests.ts';
import { presentCount, presentReplay, uncountedMessage } from './replay.presenter.ts';
import { ReplayDto } from './replays.dto.ts';
import { findReplay, wholeReplay } from './whole-replay.ts';

interface Repeated {
  readonly idempotencyKey: string | null;
  /** Needed for a dry run, whose answer is not a 202. */
  readonly reply: FastifyReply;
}

const Repeating = createParamDecorator((_data: unknown, context: ExecutionContext): Repeated => {
  const http = context.switchToHttp();
  const idempotencyKey = readIdempotencyKey(http.getRequest<FastifyRequest>().headers['idempotency-key']);
  return { idempotencyKey, reply: http.getResponse<FastifyReply>() };
});

type Needed = Parts<'secrets' | 'views' | 'log' | 'limits' | 'ambient'>;

@ApiTags('subscriptions')
@UseGuards(ApiKeyGuard)
@Controller('v1/subscriptions/:id')
export class ReplaysController {
  readonly #parts: Needed;

  constructor(@Inject(GatewayParts) parts: Needed) {
    this.#parts = parts;
  }

  @Post('replay')
  @HttpCode(202)
  @ApiReplays({
    summary: 'Send events of a range again',
    description: 'Each with the body and the webhook-id that it had, marked by the header webhook-replay.',
    input: ReplayDto,
    record: ReplayRecord,
    counted: ReplayCountRecord,
  })
  async startReplay(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Repeating() { idempotencyKey, reply }: Repeated,
    @Input(ReplayDto) input: ReplayDto,
  ): Promise<One<ReplayRecord | ReplayCountRecord>> {
    const subscription = await readOwned(this.#parts, caller, 'subscriptions', id);
    const replay = await requestReplay(this.#parts, caller, subscription, { input, idempotencyKey });
    if (input.dry_run !== true) return { data: chosenFields(presentReplay(replay), input) };
    if (replay.state !== 'done') throw invalidRequest(uncountedMessage(replay.reason));
    reply.code(200);
    return { data: chosenFields(presentCount(replay), input) };
  }

  @Get('replays')
  @ApiLists({
    summary: 'List the replays of a subscription, newest first',
    input: PagingDto,
    record: ReplayRecord,
  })
  async listReplays(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(PagingDto) input: PagingDto,
  ): Promise<Many<ReplayRecord>> {
    await readOwned(this.#parts, caller, 'subscriptions', id);
    const list = {
      view: 'replays',
      index: 'bySubscription',
      equals: [id],
      place: (cursor: string) => this.#placeOf(caller, id, cursor),
      cursorOf: (document: { readonly id: string }) => cursorOfId(document.id),
    };
    const { page_info, documents } = await readPage(this.#parts.views(), list, input);
    const replays = documents.map(({ value }) => wholeReplay(this.#parts, value as ReplayView));
    return { page_info, data: (await Promise.all(replays)).map((one) => chosenFields(presentReplay(one), input)) };
  }

  @Get('replays/:replay')
  @ApiReads({ summary: 'Get a replay', input: AnyRequestDto, record: ReplayRecord })
  async getReplay(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Param('replay') replayId: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<One<ReplayRecord>> {
    return { data: chosenFields(presentReplay(await this.#replay(caller, id, replayId)), input) };
  }

  @Post('replays/:replay/cancel')
  @HttpCode(202)
  @ApiAccepts({
    summary: 'End a replay: nothing of it is begun any more',
    input: AnyRequestDto,
    record: ReplayRecord,
  })
  async cancelReplay(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Param('replay') replayId: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<One<ReplayRecord>> {
    const replay = await this.#replay(caller, id, replayId);
    return { data: chosenFields(presentReplay(await cancelReplay(this.#parts, caller, replay)), input) };
  }

  async #replay(caller: Caller, id: string, replayId: string): Promise<ReplayView> {
    checkId('sub', id);
    checkId('rpl', replayId);
    const replay = await findReplay(this.#parts, caller, replayId);
    if (replay?.subscriptionId !== id) throw notFound();
    return replay;
  }

  async #placeOf(caller: Caller, id: string, cursor: string): Promise<Place> {
    const replayId = idOfCursor(cursor, (text) => isId('rpl', text));
    const replay = await findOwned<ReplayView>(this.#parts, caller, 'replays', replayId);
    if (replay?.subscriptionId !== id) throw expiredCursor();
    return { sort: replay.requestedAt, id: replayId };
  }
}
