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
import { selectFields } from '../../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import { invalidRequest, notFound } from '../../../http/api-problem.ts';
import { cursorOfId, expiredCursor, idOfCursor } from '../../../http/pages/cursor.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import { readIdempotencyKey } from '../../../http/input/idempotency-key.ts';
import { Input } from '../../../http/input/input.ts';
import { PagingDto } from '../../../http/pages/paging.dto.ts';
import { ApiAccepts, ApiLists, ApiReads, ApiReplays } from '../../../openapi/operation.ts';
import { checkId, findOwned, readOwned } from '../../owned-documents.ts';
import { readPage } from '../../lists/page-reader.ts';
import type { ListPosition } from '../../lists/paged-list.ts';
import { ReplayCountRecord, ReplayRecord } from './replay-record.dto.ts';
import { cancelReplay, requestReplay } from './replay-requests.ts';
import { presentCount, presentReplay, uncountedMessage } from './replay.presenter.ts';
import { ReplayDto } from './replays.dto.ts';
import { findReplay, mergeAllParts } from './replay-parts.ts';

interface ReplayHttp {
  readonly idempotencyKey: string | null;
  /** Needed for a dry run, whose answer is not a 202. */
  readonly reply: FastifyReply;
}

const ReplayHttpContext = createParamDecorator((_data: unknown, context: ExecutionContext): ReplayHttp => {
  const http = context.switchToHttp();
  const idempotencyKey = readIdempotencyKey(http.getRequest<FastifyRequest>().headers['idempotency-key']);
  return { idempotencyKey, reply: http.getResponse<FastifyReply>() };
});

type RequiredParts = Parts<'secrets' | 'views' | 'log' | 'limits' | 'ambient'>;

@ApiTags('subscriptions')
@UseGuards(ApiKeyGuard)
@Controller('v1/subscriptions/:id')
export class ReplaysController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
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
    @ReplayHttpContext() { idempotencyKey, reply }: ReplayHttp,
    @Input(ReplayDto) input: ReplayDto,
  ): Promise<RecordAnswer<ReplayRecord | ReplayCountRecord>> {
    const subscription = await readOwned(this.#parts, caller, 'subscriptions', id);
    const replay = await requestReplay(this.#parts, caller, subscription, { input, idempotencyKey });
    if (input.dry_run !== true) return { data: selectFields(presentReplay(replay), input) };
    if (replay.state !== 'done') throw invalidRequest(uncountedMessage(replay.reason));
    reply.code(200);
    return { data: selectFields(presentCount(replay), input) };
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
  ): Promise<PageAnswer<ReplayRecord>> {
    await readOwned(this.#parts, caller, 'subscriptions', id);
    const list = {
      view: 'replays',
      index: 'bySubscription',
      equals: [id],
      positionOfCursor: (cursor: string) => this.#positionOf(caller, id, cursor),
      cursorOf: (document: { readonly id: string }) => cursorOfId(document.id),
    };
    const { page_info, documents } = await readPage(this.#parts.views(), list, input);
    const replays = documents.map(({ value }) => mergeAllParts(this.#parts, value as ReplayView));
    return { page_info, data: (await Promise.all(replays)).map((one) => selectFields(presentReplay(one), input)) };
  }

  @Get('replays/:replay')
  @ApiReads({ summary: 'Get a replay', input: AnyRequestDto, record: ReplayRecord })
  async getReplay(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Param('replay') replayId: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<ReplayRecord>> {
    return { data: selectFields(presentReplay(await this.#findReplay(caller, id, replayId)), input) };
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
  ): Promise<RecordAnswer<ReplayRecord>> {
    const replay = await this.#findReplay(caller, id, replayId);
    return { data: selectFields(presentReplay(await cancelReplay(this.#parts, caller, replay)), input) };
  }

  async #findReplay(caller: Caller, id: string, replayId: string): Promise<ReplayView> {
    checkId('sub', id);
    checkId('rpl', replayId);
    const replay = await findReplay(this.#parts, caller, replayId);
    if (replay?.subscriptionId !== id) throw notFound();
    return replay;
  }

  async #positionOf(caller: Caller, id: string, cursor: string): Promise<ListPosition> {
    const replayId = idOfCursor(cursor, (text) => isId('rpl', text));
    const replay = await findOwned<ReplayView>(this.#parts, caller, 'replays', replayId);
    if (replay?.subscriptionId !== id) throw expiredCursor();
    return { sort: replay.requestedAt, id: replayId };
  }
}
