// What the list of a subscription's deliveries takes.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { DeliveryState } from '../../../../domain/views/index.ts';
import { PagingDto } from '../../http/input/paging.dto.ts';

export const deliveryStates: readonly DeliveryState[] = ['delivered', 'failing', 'parked'];

export class DeliveriesDto extends PagingDto {
  @ApiPropertyOptional({ enum: deliveryStates })
  @IsOptional()
  @IsIn(deliveryStates)
  readonly state?: DeliveryState;
}
