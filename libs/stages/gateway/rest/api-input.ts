// How a route's parameters stand in the OpenAPI document.
import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiHeader, ApiOperation, ApiQuery } from '@nestjs/swagger';
import type { InputClass } from '../rim/input/input.ts';

interface Described {
  readonly summary: string;
  readonly input: InputClass<object>;
}

/** Parameters in the query string. */
export const ApiReads = ({ summary, input }: Described): MethodDecorator =>
  applyDecorators(ApiBearerAuth(), ApiOperation({ summary }), ApiQuery({ type: input }));

/** Parameters in the JSON body, or in the query string. */
export const ApiWrites = ({ summary, input }: Described): MethodDecorator =>
  applyDecorators(ApiBearerAuth(), ApiOperation({ summary }), ApiBody({ type: input, required: false }));

/** As `ApiWrites`, safe to repeat with its key. */
export const ApiCreates = (described: Described): MethodDecorator =>
  applyDecorators(
    ApiWrites(described),
    ApiHeader({ name: 'Idempotency-Key', required: false, description: '1 to 255 visible ASCII characters, 24 h' }),
  );
