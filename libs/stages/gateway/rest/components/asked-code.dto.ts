// The ways to say which code is meant: as text, or by a saved component. A request takes one of them.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';

const ways = {
  code: {
    description: 'Source text of the component, one CommonJS or ES module',
    message: 'component_code must be the source text of a component',
    charsMax: undefined,
  },
  id: {
    description: 'A saved component by its id, or by its key: then its version that was saved last',
    message: 'component_id must be the id or the key of a saved component',
    charsMax: 255,
  },
} as const;

export function AskedCode(way: keyof typeof ways): PropertyDecorator {
  const { description, message, charsMax } = ways[way];
  const bound = charsMax === undefined ? {} : { maxLength: charsMax };
  return applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, description, ...bound }),
    IsOptional(),
    IsString(),
    IsNotEmpty({ message }),
    ...(charsMax === undefined ? [] : [MaxLength(charsMax)]),
  );
}
