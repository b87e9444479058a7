// Transforms in requests, and the results of previews.
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { transformProblem } from '../../../../../domain/delivery/transform/transform.ts';
import type { Json } from '../../../../../domain/json.ts';
import { sizes } from '../../../../../domain/sizes.ts';
import { ApiAnyJson } from '../../../openapi/fields.ts';

/** The schema of a transform, in requests and answers. */
export const transformProperty = {
  type: 'string',
  nullable: true,
  maxLength: sizes.transformBytes,
  example: '(event, metadata) => ({ body: { id: metadata.event_id, title: event.title } })',
} as const;

export const TransformField = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ ...transformProperty, description }),
    ValidateBy({
      name: 'isTransform',
      validator: {
        validate: (value) => transformProblem(value) === undefined,
        defaultMessage: (args) => `$property ${transformProblem(args?.value) ?? ''}`,
      },
    }),
    IsOptional(),
  );

@ApiSchema({ name: 'TransformedEvent' })
export abstract class TransformedRecord {
  @ApiAnyJson({ description: 'What is sent' })
  abstract readonly body: Json;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { subject: 'issue' } })
  abstract readonly headers: Readonly<Record<string, string>>;
}

@ApiSchema({ name: 'TransformError' })
export abstract class TransformErrorRecord {
  @ApiProperty({ type: 'string', example: 'TypeError: event.issue is undefined' })
  abstract readonly message: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'In the text of the transform; null: not known' })
  abstract readonly line: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  abstract readonly column: number | null;
}
