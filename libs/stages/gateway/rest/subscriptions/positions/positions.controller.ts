// `GET /v1/subscriptions/ID/positions`: lists how far a subscription has come with each source.
import { Controller, Get, Inject, Param, UseGuards } from '@nestjs/common';
import { ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { cursorKey } from '../../../../../domain/delivery/cursor.ts';
import { isId } from '../../../../../domain/id.ts';
import type { PositionView, WebhookView } from '../../../../../domain/views/index.ts';
import type { ViewDocument } from '../../../../../view-store/view-store.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { GatewayParts } from '../../../parts/parts.ts';
import type { Parts } from '../../../parts/parts.ts';
import { selectFields } from '../../../http/answer-envelope.ts';
import type { PageAnswer } from '../../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import { cursorOfId, idOfCursor } from '../../../http/pages/cursor.ts';
import { Input } from '../../../http/input/input.ts';
import { PagingDto } from '../../../http/pages/paging.dto.ts';
import { ApiReads } from '../../../openapi/operation.ts';
import { readOwned } from '../../owned-documents.ts';
import { BoundedList } from '../../lists/bounded-list.ts';
import { positionIn, readPageOf } from '../../lists/page-reader.ts';
import type { PagedList, ListPosition } from '../../lists/paged-list.ts';
import { PositionRecord } from './subscription-detail.dto.ts';
import { presentPositions } from './subscription-detail.ts';

const idCharsMax = 200;

class PositionsDto extends PagingDto {
  @ApiPropertyOptional({ type: String, nullable: true, description: 'Only the position with this source' })
  @IsOptional()
  @IsString()
  @MaxLength(idCharsMax)
  readonly emitter_id?: string | null;
}

@ApiTags('subscriptions')
@UseGuards(ApiKeyGuard)
@Controller('v1/subscriptions/:id/positions')
export class PositionsController {
  readonly #parts: Parts<'views' | 'ambient'>;

  constructor(@Inject(GatewayParts) parts: Parts<'views' | 'ambient'>) {
    this.#parts = parts;
  }

  @Get()
  @ApiReads({
    summary: 'How far a subscription is with each source of which an event has come',
    input: PositionsDto,
    record: PositionRecord,
    shape: 'page',
    order: 'by the id of the source',
  })
  async listPositions(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(PositionsDto) input: PositionsDto,
  ): Promise<PageAnswer<PositionRecord>> {
    const parts = this.#parts;
    const subscription = await readOwned(parts, caller, 'subscriptions', id);
    const cursors = {
      positionOfCursor: (cursor: string) => positionOf(id, cursor),
      cursorOf: (document: ViewDocument) => cursorOfId(document.id),
    };
    const { page_info, documents } = await readPageOf(
      this.#pagedList(id, input.emitter_id || undefined),
      cursors,
      input,
    );
    const shown = documents.map(({ value }) => value as PositionView);
    const webhook = (await parts.views().get('webhooks', subscription.listenerId))?.value as WebhookView | undefined;
    const positions = await presentPositions(parts, subscription, { shown, webhook });
    return { page_info, data: positions.map((position) => selectFields(position, input)) };
  }

  /** Reverses the order: pages of other lists descend, these ascend. */
  #pagedList(id: string, emitterId: string | undefined): PagedList {
    const views = this.#parts.views();
    const all = { index: 'bySubscription', equals: [id] };
    if (emitterId !== undefined) {
      const found = async (): Promise<readonly ViewDocument[]> => {
        const document = await views.get('positions', cursorKey(id, emitterId));
        return document === undefined ? [] : [document];
      };
      const find: PagedList['find'] = ({ after }) => (after === undefined ? found() : Promise.resolve([]));
      return { find, count: async () => (await found()).length };
    }
    const list: PagedList = {
      find: ({ order, ...query }) =>
        views.find('positions', { ...all, ...query, order: order === 'descending' ? 'ascending' : 'descending' }),
      count: () => views.count('positions', all),
    };
    return new BoundedList({ list, positionOf: positionIn({ view: 'positions', index: 'bySubscription' }) });
  }
}

/** A position's document id is `subscription/source`. */
function positionOf(subscriptionId: string, cursor: string): ListPosition {
  const sourceOf = (text: string): string => text.slice(subscriptionId.length + 1);
  const id = idOfCursor(
    cursor,
    (text) => isId('dc', sourceOf(text)) && text === cursorKey(subscriptionId, sourceOf(text)),
  );
  return { sort: sourceOf(id), id };
}
