// Filters in requests: for a new subscription, for an existing one, or for a preview.
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional, Matches, ValidateBy } from 'class-validator';
import { readFilter } from '../../../../../domain/delivery/filter/read-filter.ts';
import type { Json, JsonObject } from '../../../../../domain/json.ts';
import { eventIdPattern } from '../../../http/pages/cursor.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../../http/input/query-text.ts';
import { ApiAnyJson, exampleId } from '../../../openapi/fields.ts';
import { TransformedRecord, TransformErrorRecord, TransformField } from '../transform/transform.dto.ts';
import { IsSourceId } from '../../../http/input/ids.ts';

/** The path to a fault can have long names. */
const pathCharsMax = 200;

function filterProblem(value: unknown): string | undefined {
  const result = readFilter(value);
  return 'fault' in result ? `${result.fault.at.slice(0, pathCharsMax)} ${result.fault.message}` : undefined;
}

/** The schema of a filter, in requests and answers. */
export const filterProperty = {
  type: 'object',
  additionalProperties: true,
  nullable: true,
  example: { action: ['opened', { prefix: 'review_' }], issue: { comments: [{ numeric: ['>', 0] }] } },
} as const;

export const FilterField = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ ...filterProperty, description }),
    ValidateBy({
      name: 'isFilter',
      validator: {
        validate: (value) => filterProblem(value) === undefined,
        defaultMessage: (args) => `$property${filterProblem(args?.value) ?? ''}`,
      },
    }),
    IsOptional(),
  );

@ApiSchema({ name: 'SubscriptionUpdate' })
export class UpdateSubscriptionDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { filter: 'json' };

  @FilterField('Which events it wants from now on; null: all; absent: as before')
  readonly filter?: JsonObject | null;

  @TransformField('What makes of each event what is sent, from now on; null: nothing; absent: as before')
  readonly transform?: string | null;
}

@ApiSchema({ name: 'PreviewRequest' })
export class PreviewDto extends UpdateSubscriptionDto {
  static override readonly queryForms: QueryForms = { ...UpdateSubscriptionDto.queryForms, event: 'json' };

  @FilterField('A filter to try in place of its own; null: none')
  declare readonly filter?: JsonObject | null;

  @TransformField('A transform to try in place of its own; null: none')
  declare readonly transform?: string | null;

  @ApiPropertyOptional({ type: String, description: 'An event that can be listed' })
  @IsOptional()
  @Matches(eventIdPattern, { message: 'event_id must be the id of an event' })
  readonly event_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    description: 'The source of that event, for a subscription to every source',
    example: exampleId('dc'),
  })
  @IsOptional()
  @IsSourceId()
  readonly emitter_id?: string | null;

  @ApiAnyJson({ required: false, description: 'An event as it would be emitted, in place of `event_id`' })
  @IsOptional()
  readonly event?: Json;
}

@ApiSchema({ name: 'Preview' })
export abstract class PreviewRecord {
  @ApiProperty({ type: 'boolean', example: false })
  abstract readonly matches: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'The first field, as a JSON pointer, that is not as the filter wants it, or that the transform drops the event; null: it matches',
    example: '/issue/comments is not as the filter wants it',
  })
  abstract readonly reason: string | null;

  @ApiProperty({
    type: TransformedRecord,
    nullable: true,
    description: 'What the transform makes of it; null: nothing',
  })
  abstract readonly transformed: TransformedRecord | null;

  @ApiProperty({
    type: TransformErrorRecord,
    nullable: true,
    description: 'Why the transform fails; null: it does not',
  })
  abstract readonly error: TransformErrorRecord | null;
}
