// The parameters for settings of a webhook, with their bounds. Of several problems the last decorator's is reported.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateBy,
} from 'class-validator';
import { pointerCharsMax, pointerProblem } from '../../../../domain/delivery/order/order-key.ts';
import { headersMax, headersProblem } from '../../../../domain/delivery/attempt/headers.ts';
import {
  inFlightBounds,
  overlapBounds,
  rateBounds,
  timeoutBounds,
} from '../../../../domain/listener/webhook/settings.ts';
import { isObject } from '../../../../domain/shape/checks.ts';
import { OptionalName } from '../../http/input/name.ts';
import { signatures } from './signatures.ts';

export const exhaustedKinds = ['park', 'block'] as const;
export type ExhaustedKind = (typeof exhaustedKinds)[number];

export const nameCharsMax = 255;
const descriptionCharsMax = 4_096;
/** More retries than the default schedule has. */
const retriesMax = 20;
/** A day: after a longer wait it is better to fetch the event than to wait for its retry. */
const retrySecondsMax = 86_400;

export const Name = (): PropertyDecorator => OptionalName(nameCharsMax);

export const Description = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, maxLength: descriptionCharsMax }),
    MaxLength(descriptionCharsMax),
    IsString(),
    IsOptional(),
  );

export const Ordered = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: Boolean,
      nullable: true,
      default: true,
      description: 'false: up to 64 in flight, in any order',
    }),
    IsOptional(),
    IsBoolean(),
  );

export const RetrySchedule = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: retrySecondsMax },
      nullable: true,
      maxItems: retriesMax,
      description: 'Seconds before each retry; null: the default schedule. In a query string separated by commas.',
    }),
    Max(retrySecondsMax, { each: true }),
    Min(0, { each: true }),
    IsInt({ each: true }),
    ArrayMaxSize(retriesMax),
    IsArray(),
    IsOptional(),
  );

const { min, max, default: defaultMs } = timeoutBounds;

export const TimeoutMs = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'integer' as const,
      nullable: true,
      minimum: min,
      maximum: max,
      default: defaultMs,
      description: 'The longest that an attempt may take once it has a connection, with the whole answer',
    }),
    IsOptional(),
    Max(max),
    Min(min),
    IsInt(),
  );

export const SignedBy = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      enum: signatures,
      nullable: true,
      default: 'hmac-sha256',
      description: 'How attempts are signed. A change creates a new key; the former one also signs for a day',
    }),
    IsOptional(),
    IsIn(signatures),
  );

export const OverlapSeconds = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'integer' as const,
      nullable: true,
      default: overlapBounds.default,
      minimum: overlapBounds.min,
      maximum: overlapBounds.max,
      description: 'How long attempts are signed with the former keys too; 0: not at all',
    }),
    IsOptional(),
    Max(overlapBounds.max),
    Min(overlapBounds.min),
    IsInt(),
  );

export const Headers = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'object' as const,
      nullable: true,
      additionalProperties: { type: 'string' },
      maxProperties: headersMax,
      description: 'Headers that are sent with each attempt, by name; the values are kept sealed',
      example: { authorization: 'Bearer t0k3n' },
    }),
    IsOptional(),
    ValidateBy({
      name: 'headers',
      validator: {
        validate: (value: unknown) => isObject(value) && headersProblem(value) === undefined,
        defaultMessage: (faulty) =>
          `headers ${isObject(faulty?.value) ? headersProblem(faulty.value) : 'must be an object of texts'}`,
      },
    }),
  );

export const OnExhausted = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      enum: exhaustedKinds,
      nullable: true,
      default: 'park',
      description: 'With `ordered`: whether an event past its last retry is parked, or keeps those behind it waiting',
    }),
    IsOptional(),
    IsIn(exhaustedKinds),
  );

export const OrderKey = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: String,
      nullable: true,
      maxLength: pointerCharsMax,
      example: '/customer/id',
      description:
        'With `ordered`: a JSON pointer. Only events in which it finds the same value wait for each other; null: all of a source do',
    }),
    IsOptional(),
    ValidateBy({
      name: 'orderKey',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && pointerProblem(value) === undefined,
        defaultMessage: (faulty) =>
          `order_key ${typeof faulty?.value === 'string' ? pointerProblem(faulty.value) : 'must be a text'}`,
      },
    }),
  );

/** A maximum for each delivery process, at least 1. */
const PerProcessMax = (max: number, description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: max, description }),
    IsOptional(),
    Max(max),
    Min(1),
    IsInt(),
  );

export const MaxInFlight = (): PropertyDecorator =>
  PerProcessMax(
    inFlightBounds.max,
    'Attempts in flight from each delivery process; absent: up to 64, and 12 of retries',
  );

export const RateLimit = (): PropertyDecorator =>
  PerProcessMax(rateBounds.max, 'Attempts a second from each delivery process; absent: any');
