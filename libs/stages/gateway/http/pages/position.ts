// The parameter for a place in a source's events: `"earliest"`, `"now"`, or an object with one field.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { eventIdPattern } from './cursor.ts';

export type PositionInput =
  | 'earliest'
  | 'now'
  | { readonly event_id: string }
  /** Epoch ms. */
  | { readonly time: number }
  | { readonly sequence: number };

type Field = 'event_id' | 'time' | 'sequence';

const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isValue: Readonly<Record<Field, (value: unknown) => boolean>> = {
  event_id: (value) => typeof value === 'string' && eventIdPattern.test(value),
  time: isNatural,
  sequence: (value) => isNatural(value) && value !== 0,
};

const schemas = {
  event_id: { type: 'string', example: '1777000000123-0' },
  time: { type: 'integer', format: 'int64', minimum: 0, description: 'Epoch milliseconds' },
  sequence: { type: 'integer', minimum: 1, description: "The event's number for this subscription and source" },
} as const;

/** `fields`: the names of which the object has exactly one. */
export function Position(fields: readonly Field[], description: string): PropertyDecorator {
  const objects = fields.map((field) => ({
    type: 'object' as const,
    properties: { [field]: schemas[field] },
    required: [field],
    additionalProperties: false,
  }));
  const examples = fields.map((field) => `{ "${field}": ... }`).join(', ');
  const names: ReadonlySet<string> = new Set(fields);
  const isPosition = (value: unknown): boolean => {
    if (value === 'earliest' || value === 'now') return true;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const [entry, ...others] = Object.entries(value);
    return entry !== undefined && others.length === 0 && names.has(entry[0]) && isValue[entry[0] as Field](entry[1]);
  };
  const defaultMessage = (): string => `$property must be "earliest", "now" or one of ${examples}`;
  return applyDecorators(
    ApiPropertyOptional({ anyOf: [{ type: 'string', enum: ['earliest', 'now'] }, ...objects], description }),
    IsOptional(),
    ValidateBy({ name: 'isPosition', validator: { validate: isPosition, defaultMessage } }),
  );
}
