// Live streams (text/event-stream) of a source's events and runs, under both paths that clients use.
import type { OutgoingHttpHeaders } from 'node:http';
import { Controller, Get, Inject, Param, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { ApiStreams } from '../../openapi/operation.ts';
import { EventRecord } from '../../records/event-record.dto.ts';
import { RunRecord } from '../../records/run-record.dto.ts';
import { readOwned } from '../owned-documents.ts';
import { createAccessCheck } from '../../admission/authenticate-caller.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { Input } from '../../http/input/input.ts';
import { runStreams, streamsOf } from '../../streams/stream-kind.ts';
import type { StreamKind } from '../../streams/stream-kind.ts';
import { streamHeaders } from '../../streams/stream.ts';
import { EventStreamDto, StreamDto } from './streams.dto.ts';

interface StreamTarget {
  readonly caller: Caller;
  readonly sourceId: string;
  readonly input: StreamDto & Pick<EventStreamDto, 'event_name'>;
}

type RequiredParts = Parts<'access' | 'views' | 'streams'>;

@ApiTags('streams')
@UseGuards(ApiKeyGuard)
@Controller()
export class StreamsController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Get('v1/sources/:id/sse')
  @ApiStreams({ summary: 'The events of a source as they come', input: EventStreamDto, record: EventRecord })
  streamEvents(
    @CalledBy() caller: Caller,
    @Param('id') sourceId: string,
    @Input(EventStreamDto) input: EventStreamDto,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.#stream(streamsOf(input.event_name), { caller, sourceId, input }, reply);
  }

  @Get('sse/dc/:id/emits')
  @ApiStreams({ summary: 'As streamEvents', input: EventStreamDto, record: EventRecord })
  streamEmits(
    @CalledBy() caller: Caller,
    @Param('id') sourceId: string,
    @Input(EventStreamDto) input: EventStreamDto,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.#stream(streamsOf(input.event_name), { caller, sourceId, input }, reply);
  }

  @Get('v1/sources/:id/logs/sse')
  @ApiStreams({ summary: 'The runs of a source as they end', input: StreamDto, record: RunRecord })
  streamRuns(
    @CalledBy() caller: Caller,
    @Param('id') sourceId: string,
    @Input(StreamDto) input: StreamDto,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.#stream(runStreams, { caller, sourceId, input }, reply);
  }

  @Get('sse/dc/:id/observations')
  @ApiStreams({ summary: 'As streamRuns', input: StreamDto, record: RunRecord })
  streamObservations(
    @CalledBy() caller: Caller,
    @Param('id') sourceId: string,
    @Input(StreamDto) input: StreamDto,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.#stream(runStreams, { caller, sourceId, input }, reply);
  }

  /** A client that reconnects sends its last record's id in a header, which overrides the URL's unchanged `after`. */
  async #stream(kind: StreamKind, { caller, sourceId, input }: StreamTarget, reply: FastifyReply): Promise<void> {
    await readOwned(this.#parts, caller, 'sources', sourceId);
    const { request } = reply;
    if (request.method === 'HEAD') {
      await reply.headers(streamHeaders).send();
      return;
    }
    const lastEventId = request.headers['last-event-id'];
    const { workspace } = caller;
    const channel = typeof input.event_name === 'string' ? input.event_name : undefined;
    const streamOptions = {
      kind,
      sourceId,
      channel,
      workspace,
      isAdmitted: createAccessCheck(this.#parts, request),
      fields: input,
    };
    const takeOverReply = (): OutgoingHttpHeaders => {
      reply.hijack();
      return reply.getHeaders() as OutgoingHttpHeaders;
    };
    await this.#parts.streams.open(reply.raw, takeOverReply, {
      ...streamOptions,
      after: nonEmptyText(lastEventId) ?? nonEmptyText(input.after),
    });
  }
}

const nonEmptyText = (id: unknown): string | undefined => (typeof id === 'string' && id !== '' ? id : undefined);
