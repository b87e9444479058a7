// The parameter `event_name`, by which requests name a channel.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import { channelProblem } from '../../../../domain/service-channels/service-channels.ts';
import type { ChannelUse } from '../../../../domain/service-channels/service-channels.ts';

const channelCharsMax = 255;

/** Any channel: existing channels can be from an earlier program, which accepted every name. */
export const AnyChannel = (property: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, maxLength: channelCharsMax, ...property }),
    IsOptional(),
    MaxLength(channelCharsMax),
    IsString(),
  );

/** A channel of a component, or one of the service's own if `use` allows it. */
export const ChannelFor = (use: ChannelUse, property: ApiPropertyOptions): PropertyDecorator =>
  applyDecorators(AnyChannel(property), usableFor(use));

const usableFor = (use: ChannelUse): PropertyDecorator => {
  const problemOf = (value: unknown): string | undefined =>
    typeof value === 'string' ? channelProblem(value, use) : undefined;
  return ValidateBy({
    name: 'isUsableChannel',
    validator: {
      validate: (value) => problemOf(value) === undefined,
      defaultMessage: (args) => `$property ${problemOf(args?.value) ?? ''}`,
    },
  });
};
