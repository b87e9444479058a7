// The parameters and records of `/v1/data_stores`.
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsInt, IsNumber, IsOptional, IsPositive, IsString, Length, Max, MaxLength, Min } from 'class-validator';
import type { Json } from '../../../../domain/json.ts';
import { storeBounds } from '../../../../domain/store/bounds.ts';
import type { StoreInfo, StoreRecord } from '../../../../domain/store/question.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { RequiredName } from '../../http/input/name.ts';
import { limitDefault } from '../../http/pages/paging.dto.ts';
import type { QueryForms } from '../../http/input/query-text.ts';
import { ApiAnyJson, ApiEpochMs, ApiEpochSeconds, ApiId } from '../../openapi/fields.ts';
import { epochSeconds } from '../epoch-seconds.ts';

const { keyUnitsMax, nameUnitsMax, pageKeysMax, ttlMaxS } = storeBounds;
const cursorCharsMax = 32;

@ApiSchema({ name: 'NewDataStoreRequest' })
export class CreateDataStoreDto extends AnyRequestDto {
  @RequiredName(nameUnitsMax, { example: 'Seen orders' })
  readonly name: string = '';
}

@ApiSchema({ name: 'DataStoreRecordsRequest' })
export class DataStoreRecordsDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { limit: 'integer' };

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: pageKeysMax, default: limitDefault })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(pageKeysMax)
  readonly limit?: number;

  @ApiPropertyOptional({ type: String, description: '`end_cursor` of the page before' })
  @IsOptional()
  @IsString()
  @MaxLength(cursorCharsMax)
  readonly after?: string;
}

const keyField = { type: String, minLength: 1, maxLength: keyUnitsMax, example: 'order 17' };

@ApiSchema({ name: 'DataStoreRecordRequest' })
export class DataStoreRecordDto extends AnyRequestDto {
  @ApiProperty(keyField)
  @Length(1, keyUnitsMax)
  readonly key: string = '';
}

@ApiSchema({ name: 'SetDataStoreRecordRequest' })
export class SetDataStoreRecordDto extends AnyRequestDto {
  @ApiProperty(keyField)
  @Length(1, keyUnitsMax)
  readonly key: string = '';

  static override readonly queryForms: QueryForms = { value: 'json', ttl: 'integer' };

  @ApiAnyJson({ description: 'Any JSON of at most 256 KiB' })
  @IsOptional()
  readonly value?: Json;

  @ApiPropertyOptional({
    type: 'number' as const,
    nullable: true,
    minimum: 0,
    exclusiveMinimum: true,
    maximum: ttlMaxS,
    description: 'Seconds until the key is gone; absent: it stays',
  })
  @IsOptional()
  @Max(ttlMaxS)
  @IsPositive({ message: '$property must be greater than 0' })
  @IsNumber()
  readonly ttl?: number | null;
}

@ApiSchema({ name: 'DataStore' })
export abstract class DataStoreRecord {
  @ApiId('ds', { description: 'The value of a prop of type `data_store`' })
  abstract readonly id: string;

  @ApiProperty({ type: 'string', example: 'Seen orders' })
  abstract readonly name: string;

  @ApiProperty({ type: 'integer', description: 'How many keys it has', example: 12 })
  abstract readonly keys: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of its keys and values as JSON', example: 2_048 })
  abstract readonly bytes: number;

  @ApiEpochSeconds()
  abstract readonly created_at: number;
}

@ApiSchema({ name: 'DataStoreEntry' })
export abstract class DataStoreEntryRecord {
  @ApiProperty({ type: 'string', example: 'order 17' })
  abstract readonly key: string;

  @ApiAnyJson()
  abstract readonly value: Json;

  @ApiEpochMs({ nullable: true, description: 'Epoch milliseconds: from then on the key is gone; null: it stays' })
  abstract readonly expires_at: number | null;
}

export const presentStore = ({ id, name, keys, bytes, createdAt }: StoreInfo): DataStoreRecord => ({
  id,
  name,
  keys,
  bytes,
  created_at: epochSeconds(createdAt),
});

export const presentEntry = ({ key, value = null, expiresAt }: StoreRecord): DataStoreEntryRecord => ({
  key,
  value,
  expires_at: expiresAt,
});
