// The parameters of `POST /v1/sources/ID/events`, and its answer.
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { Json } from '../../../../../domain/json.ts';
import { publishedEventsMax } from '../../../../../domain/publish/publish.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../../http/input/query-text.ts';
import { ApiAnyJson, ApiEpochMs, ApiEventId } from '../../../openapi/fields.ts';

export const idCharsMax = 255;
export const nameCharsMax = 255;

const described = {
  event: 'Any JSON',
  id: 'With an id that is among the last 10,000 of the source, nothing is published: the answer has the event that there is',
  name: 'The channel; empty: the default one. It cannot begin with $',
  summary: 'Text for people, shown in lists',
  ts: 'Epoch milliseconds: the events of a request are emitted oldest first; absent: now',
} as const;

/** An id can also be a number that is exact as JSON; ids are compared as texts. */
const exactNumber = { type: 'number', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const idForms = { oneOf: [{ type: 'string', minLength: 1, maxLength: idCharsMax }, exactNumber] };

@ApiSchema({ name: 'PublishedEvent' })
export abstract class PublishedEventRecord {
  @ApiAnyJson({ description: described.event })
  abstract readonly event: Json;

  @ApiPropertyOptional({ ...idForms, nullable: true, description: described.id })
  abstract readonly id?: string | number | null;

  @ApiPropertyOptional({ type: 'string', nullable: true, maxLength: nameCharsMax, description: described.name })
  abstract readonly name?: string | null;

  @ApiPropertyOptional({ type: 'string', nullable: true, description: described.summary })
  abstract readonly summary?: string | null;

  @ApiEpochMs({ required: false, nullable: true, description: described.ts })
  abstract readonly ts?: number | null;
}

/** The fields of one event, or `events`; checked by `published-events.ts`, since there may be a thousand. */
@ApiSchema({ name: 'PublishRequest' })
export class PublishDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { event: 'json', events: 'json', ts: 'integer' };

  @ApiAnyJson({ required: false, description: described.event })
  @IsOptional()
  readonly event?: Json;

  @ApiPropertyOptional({ ...idForms, nullable: true, description: described.id })
  @IsOptional()
  readonly id?: unknown;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: nameCharsMax, description: described.name })
  @IsOptional()
  readonly name?: unknown;

  @ApiPropertyOptional({ type: String, nullable: true, description: described.summary })
  @IsOptional()
  readonly summary?: unknown;

  @ApiEpochMs({ required: false, nullable: true, description: described.ts })
  @IsOptional()
  readonly ts?: unknown;

  @ApiPropertyOptional({
    type: [PublishedEventRecord],
    nullable: true,
    minItems: 1,
    maxItems: publishedEventsMax,
    description: 'Several events, instead of one: all of them are published in one append, or none',
  })
  @IsOptional()
  readonly events?: unknown;
}

@ApiSchema({ name: 'Published', description: 'Of each event of the request, in its order' })
export abstract class PublishedRecord {
  @ApiEventId({ description: "The event's id in lists" })
  abstract readonly id: string;

  @ApiProperty({ type: 'boolean', description: 'It was published before: nothing was emitted now', example: false })
  abstract readonly duplicate: boolean;
}
