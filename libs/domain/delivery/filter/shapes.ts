// The shapes of filters in records.
import type { JsonObject } from '../../json.ts';
import { list, natural, nullable, object, optional } from '../../shape/checks.ts';
import type { Check } from '../../shape/checks.ts';
import { transformShape } from '../transform/shapes.ts';
import type { FilterVersion } from './filter-history.ts';
import { readFilter } from './read-filter.ts';

export const filterShape: Check<JsonObject> = (value) => ('filter' in readFilter(value) ? undefined : '');

export const filtersShape: Check<readonly FilterVersion[]> = list(
  object<FilterVersion>({
    channelEnds: list(natural),
    version: optional(natural),
    filter: nullable(filterShape),
    transform: optional(transformShape),
  }),
);
