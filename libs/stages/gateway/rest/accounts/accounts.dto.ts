// The parameters of the routes of `/v1/accounts`.
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, IsString, Matches, ValidateBy } from 'class-validator';
import {
  accountNameCharsMax,
  appSlug,
  credentialFieldsMax,
  credentialsBytesMax,
} from '../../../../domain/account/account-bounds.ts';
import { credentialsProblem } from '../../../../domain/account/credentials.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { OptionalName } from '../../http/input/name.ts';
import { SearchDto } from '../../http/pages/search.dto.ts';
import type { QueryForms } from '../../http/input/query-text.ts';

type Credentials = Readonly<Record<string, string>>;

const Name = (): PropertyDecorator => OptionalName(accountNameCharsMax, { example: 'Our bot' });

/** Only in a body: query strings appear in logs. */
const IsCredentials = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCredentials',
    validator: {
      validate: (value) => credentialsProblem(value) === undefined,
      defaultMessage: (validation) => credentialsProblem(validation?.value) ?? '',
    },
  });

const credentials = {
  type: 'object',
  additionalProperties: { type: 'string' },
  writeOnly: true,
  description: `Texts by the names that components read of \`$auth\`, in the body only: at most ${credentialFieldsMax}, together ${credentialsBytesMax / 1024} KiB as JSON`,
  example: { oauth_access_token: 'gho_16C7e42F292c6912E7710c838347Ae178B4a' },
} as const;

@ApiSchema({ name: 'NewAccountRequest' })
export class CreateAccountDto extends AnyRequestDto {
  @ApiProperty({
    type: String,
    pattern: appSlug.source,
    description: 'Slug of its app, as in `app` of an app prop; any slug is accepted',
    example: 'github',
  })
  @Matches(appSlug, { message: 'app must be the slug of an app, such as github or google_drive' })
  @IsString()
  readonly app: string = '';

  @Name()
  readonly name?: string | null;

  @ApiProperty(credentials)
  @IsCredentials()
  readonly credentials: Credentials = {};
}

/** An absent field stays unchanged. */
@ApiSchema({ name: 'AccountUpdateRequest' })
export class UpdateAccountDto extends AnyRequestDto {
  @Name()
  readonly name?: string | null;

  @ApiPropertyOptional({
    ...credentials,
    nullable: true,
    description: `${credentials.description}; they take the place of all before`,
  })
  @IsOptional()
  @IsCredentials()
  readonly credentials?: Credentials | null;
}

const flags = ['1', 'true', '0', 'false'] as const;
type Flag = (typeof flags)[number];

export const isSet = (flag: Flag | null | undefined): boolean => flag === '1' || flag === 'true';

const IncludeCredentials = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      enum: flags,
      description: '1: show the credentials, for an API key that has the scope `write`',
    }),
    IsIn(flags),
    IsOptional(),
  );

@ApiSchema({ name: 'AccountsRequest' })
export class AccountsDto extends SearchDto {
  @ApiPropertyOptional({ type: String, pattern: appSlug.source, description: 'Only those of the app with this slug' })
  @Matches(appSlug)
  @IsString()
  @IsOptional()
  readonly app?: string | null;

  @IncludeCredentials()
  readonly include_credentials?: Flag | null;
}

@ApiSchema({ name: 'AccountRequest' })
export class AccountDto extends AnyRequestDto {
  @IncludeCredentials()
  readonly include_credentials?: Flag | null;
}

@ApiSchema({ name: 'AccountDeletionRequest' })
export class DeleteAccountDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { force: 'boolean' };

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'true: also while sources use it; their runs fail from then on',
  })
  @IsOptional()
  @IsBoolean()
  readonly force?: boolean | null;
}
