// The settings of a webhook in a request, each with its bounds. Of several problems the last decorator's is told.
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
} from 'class-validator';
import { overlapBounds, timeoutBounds } from '../../../../domain/listener/webhook/settings.ts';
import { signatures } from './keys/signature-kinds.ts';

const nameCharsMax = 255;
const descriptionCharsMax = 4_096;
/** More than the default schedule has. */
const retriesMax = 20;
/** A day: what is older than its retry is better fetched than awaited. */
const retrySecondsMax = 86_400;

const Text = (maxLength: number): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, maxLength }),
    MaxLength(maxLength),
    IsString(),
    IsOptional(),
  );

export const Name = (): PropertyDecorator => Text(nameCharsMax);

export const Description = (): PropertyDecorator => Text(descriptionCharsMax);

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

const { min, max, default: usual } = timeoutBounds;

export const TimeoutMs = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      ...{ type: 'integer' as const, nullable: true, minimum: min, maximum: max, default: usual },
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
      ...{ enum: signatures, nullable: true, default: 'hmac-sha256' },
      description: 'How attempts are signed. Another one than before brings a new key; the former goes on for a day',
    }),
    IsOptional(),
    IsIn(signatures),
  );

export const OverlapSeconds = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      ...{ type: 'integer' as const, nullable: true, default: overlapBounds.default },
      ...{ minimum: overlapBounds.min, maximum: overlapBounds.max },
      description: 'How long attempts are signed with the former keys too; 0: not at all',
    }),
    IsOptional(),
    Max(overlapBounds.max),
    Min(overlapBounds.min),
    IsInt(),
  );
