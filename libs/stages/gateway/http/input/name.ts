// Validators for names that users give records: a name must be visible, since lists link to a record by its name.
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';

interface NameProperty {
  readonly description?: string;
  readonly example?: string;
}

/** Anything but white space, the Braille blank, controls and characters that are not drawn. */
const visible = /[^\s\u2800\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** `charsMax`: in UTF-16 units. */
export const RequiredName = (charsMax: number, property: NameProperty = {}): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: String, minLength: 1, maxLength: charsMax, ...property }),
    MaxLength(charsMax),
    IsVisible(),
    IsString(),
  );

/** Null counts as absent. `charsMax`: in UTF-16 units. */
export const OptionalName = (charsMax: number, property: NameProperty = {}): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: charsMax, ...property }),
    MaxLength(charsMax),
    IsVisible(),
    IsString(),
    IsOptional(),
  );

const IsVisible = (): PropertyDecorator =>
  ValidateBy({
    name: 'isVisible',
    validator: {
      validate: (value) => typeof value === 'string' && visible.test(value),
      defaultMessage: () => '$property must have a character that is not blank',
    },
  });
