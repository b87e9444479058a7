// Fields that many records have, as the OpenAPI document describes them.
import { ApiProperty } from '@nestjs/swagger';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { IdPrefix } from '../../../domain/id.ts';

/** Stands for sixteen random characters in examples. */
const exampleCharacters = '8kQ2vYx0LmB4nTzR';

export const exampleId = (prefix: IdPrefix): string => `${prefix}_${exampleCharacters}`;

/** The time in examples. */
const exampleSeconds = 1_777_000_000;

export const ApiId = (prefix: IdPrefix, options: ApiPropertyOptions = {}): PropertyDecorator =>
  ApiProperty({ type: 'string', example: exampleId(prefix), ...options });

export const ApiEventId = (options: ApiPropertyOptions = {}): PropertyDecorator =>
  ApiProperty({ type: 'string', example: `${exampleSeconds}123-0`, ...options });

export const ApiTraceId = (): PropertyDecorator =>
  ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The trace of W3C Trace Context that it belongs to; null: recorded by a version without traces',
    example: '4bf92f3577b34da6a3ce929d0e0e4736',
  });

export const ApiEpochSeconds = (options: ApiPropertyOptions = {}): PropertyDecorator =>
  ApiProperty({ type: 'integer', description: 'Epoch seconds', example: exampleSeconds, ...options });

export const ApiEpochMs = (options: ApiPropertyOptions = {}): PropertyDecorator =>
  ApiProperty({ type: 'integer', format: 'int64', description: 'Epoch milliseconds', ...options });

/** Any JSON value. The library requires a type or a choice: `allowNulls` removes the empty choice. */
export const ApiAnyJson = (options: ApiPropertyOptions = {}): PropertyDecorator =>
  ApiProperty({ anyOf: [{}], ...options });
