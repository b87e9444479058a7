// `/v1/sources/ID/event_summaries` and `/events`: lists and deletes the events of a source.
import { Controller, Delete, Get, HttpCode, Inject, Param, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../control/api-keys.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import type { PageAnswer, RecordAnswer } from '../../../http/answer-envelope.ts';
import { Input } from '../../../http/input/input.ts';
import type { YieldTurn } from '../../../http/limits/fair-turns.ts';
import { TurnYielder } from '../../../http/lists/list-turns.ts';
import { ApiDeletesLater, ApiLists } from '../../../openapi/operation.ts';
import { GatewayParts } from '../../../parts/parts.ts';
import type { Parts } from '../../../parts/parts.ts';
import { deleteEvents } from './delete-events.ts';
import { DeleteEventsDto, EventDeletionRecord } from './delete-events.dto.ts';
import { EventRecord } from '../../../records/event-record.dto.ts';
import { EventsDto } from './events.dto.ts';
import { listEvents } from './list-events.ts';

type RequiredParts = Parts<'views' | 'viewsWatch' | 'log' | 'ambient'>;

@ApiTags('sources')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class EventsController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Get('sources/:id/event_summaries')
  @ApiLists({ summary: 'The events of a source, newest first', input: EventsDto, record: EventRecord })
  async listEvents(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(EventsDto) input: EventsDto,
    @TurnYielder() yieldTurn: YieldTurn,
  ): Promise<PageAnswer<EventRecord>> {
    return listEvents(this.#parts, caller, { sourceId: id, input, yieldTurn });
  }

  @Delete('sources/:id/events')
  @HttpCode(202)
  @ApiDeletesLater({
    summary: 'Delete events of a source: a range of ids, one channel, or all',
    input: DeleteEventsDto,
    record: EventDeletionRecord,
  })
  async deleteEvents(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(DeleteEventsDto) input: DeleteEventsDto,
  ): Promise<RecordAnswer<EventDeletionRecord>> {
    return { data: await deleteEvents(this.#parts, caller, id, input) };
  }
}
