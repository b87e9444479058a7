// `GET /v1/history`: the workspace's records as on the log, oldest first, as pages and as a stream.
import type { OutgoingHttpHeaders } from 'node:http';
import { Controller, Get, Inject, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { chainIdOf } from '../../../../domain/trace/chain.ts';
import type { Caller } from '../../control/api-keys.ts';
import { topicsOf } from '../../history/lanes.ts';
import { chainEnd } from '../../history/question.ts';
import type { Question } from '../../history/question.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import { createAccessCheck } from '../../admission/authenticate-caller.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { invalidRequest } from '../../http/api-problem.ts';
import { problemOfField } from '../../http/input/field-problem.ts';
import { Input } from '../../http/input/input.ts';
import type { PartInfo } from '../../http/pages/part-info.dto.ts';
import { ApiReads, ApiStreams } from '../../openapi/operation.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { streamHeaders } from '../../streams/stream.ts';
import { HistoryRecord } from './history-record.dto.ts';
import { HistoryDto, HistoryStreamDto, historyLimitDefault } from './history.dto.ts';
import type { HistoryQuestionDto } from './history.dto.ts';

@ApiTags('history')
@UseGuards(ApiKeyGuard)
@Controller('v1/history')
export class HistoryController {
  readonly #parts: Parts<'history' | 'access'>;

  constructor(@Inject(GatewayParts) parts: Parts<'history' | 'access'>) {
    this.#parts = parts;
  }

  @Get()
  @ApiReads({
    summary: "The workspace's records as the log holds them, oldest first",
    description: 'A page may hold fewer records than asked for, or none: continue from `end_cursor` while `has_more`.',
    input: HistoryDto,
    record: HistoryRecord,
    shape: 'part',
    order: 'oldest first',
  })
  async listHistory(
    @CalledBy() caller: Caller,
    @Input(HistoryDto) input: HistoryDto,
  ): Promise<{ readonly page_info: PartInfo; readonly data: readonly HistoryRecord[] }> {
    const { history } = this.#parts;
    const question = questionOf(caller, input);
    const position = await history.startPosition(question, nonEmptyText(input.after));
    const until = chainEnd(question);
    const page = await history.page(position, { question, limit: input.limit ?? historyLimitDefault, until });
    const searchedTo = page.isEnd ? until : page.searchedTo;
    const end_cursor = history.cursorOf(question, page.position);
    return {
      page_info: {
        count: page.events.length,
        end_cursor,
        has_more: !page.isEnd,
        ...(searchedTo === undefined ? {} : { searched_to_ms: searchedTo }),
      },
      data: page.events.map((event) => selectFields<HistoryRecord>(event, input)),
    };
  }

  @Get('sse')
  @ApiStreams({
    summary: "The workspace's records as they come",
    input: HistoryStreamDto,
    record: HistoryRecord,
  })
  async streamHistory(
    @CalledBy() caller: Caller,
    @Input(HistoryStreamDto) input: HistoryStreamDto,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const question = questionOf(caller, input);
    const { request } = reply;
    if (request.method === 'HEAD') {
      await reply.headers(streamHeaders).send();
      return;
    }
    const takeOverReply = (): OutgoingHttpHeaders => {
      reply.hijack();
      return reply.getHeaders() as OutgoingHttpHeaders;
    };
    await this.#parts.history.follow(reply.raw, takeOverReply, {
      question,
      after: nonEmptyText(request.headers['last-event-id']) ?? nonEmptyText(input.after),
      isAdmitted: createAccessCheck(this.#parts, request),
      present: (event) => selectFields(event, input),
    });
  }
}

/** Throws ApiProblem. */
function questionOf(caller: Caller, input: HistoryQuestionDto): Question {
  const { topic, type, subject, correlation_id: correlationId, from, to } = input;
  if (typeof type === 'string' && topicsOf(type).length === 0)
    throw invalidRequest('There is no such type of record.', problemOfField('type', `there is no type ${type}`));
  if (typeof from === 'number' && typeof to === 'number' && from >= to)
    throw invalidRequest('`from` must be before `to`.', problemOfField('from', 'from must be before to'));
  return {
    workspace: caller.workspace,
    topic: topic ?? undefined,
    type: type ?? undefined,
    subject: subject ?? undefined,
    chainId: typeof correlationId === 'string' ? chainIdOf(correlationId) : undefined,
    from: from ?? undefined,
    to: to ?? undefined,
  };
}

const nonEmptyText = (cursor: unknown): string | undefined =>
  typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
