// `/v1/sources/ID/event_summaries` and `/events`: lists and deletes the events of a source.
import { Controller, Delete, Get, HttpCode, Inject, Param, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../control/api-keys.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import type { Many, One } from '../../../http/answer.ts';
import { Input } from '../../../http/input/input.ts';
import type { Away } from '../../../http/limits/fair-turns.ts';
import { TurnAway } from '../../../http/lists/list-turns.ts';
import { ApiDeletesLater, ApiLists } from '../../../openapi/operation.ts';
import { GatewayParts } from '../../../parts/parts.ts';
import type { Parts } from '../../../parts/parts.ts';
import { deleteEvents } from './delete-events.ts';
import { DeleteEventsDto, EventDeletionRecord } from './delete-events.dto.ts';
import { EventRecord } from '../../../records/event-record.dto.ts';
import { EventsDto } from './events.dto.ts';
import { listEvents } from './list-events.ts';

type Needed = Parts<'views' | 'viewsWatch' | 'log' | 'ambient'>;

@ApiTags('sources')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class EventsController {
  readonly #parts: Needed;

  constructor(@Inject(GatewayParts) parts: Needed) {
    this.#parts = parts;
  }

  @Get('sources/:id/event_summaries')
  @ApiLists({ summary: 'The events of a source, newest first', input: EventsDto, record: EventRecord })
  async listEvents(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(EventsDto) input: EventsDto,
    @TurnAway() away: Away,
  ): Promise<Many<EventRecord>> {
    return listEvents(this.#parts, caller, { sourceId: id, input, away });
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
  ): Promise<One<EventDeletionRecord>> {
    return { data: await deleteEvents(this.#parts, caller, id, input) };
  }
}
