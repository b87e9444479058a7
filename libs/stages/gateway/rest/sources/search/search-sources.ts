// The list of a workspace's sources, or those of it in whose name or id a text occurs.
import type { SourceView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { cursorOfId } from '../../../http/pages/cursor.ts';
import type { SearchDto } from '../../../http/pages/search.dto.ts';
import { createdPlace } from '../../owned.ts';
import type { ReadPage } from '../../lists/page-reader.ts';
import { readSearchedPage } from '../../lists/searched-list.ts';
import type { SearchOf } from '../../lists/searched-list.ts';

export function searchSources(parts: Parts<'deleted' | 'views'>, caller: Caller, input: SearchDto): Promise<ReadPage> {
  const list: SearchOf = {
    view: 'sources',
    index: 'byWorkspace',
    equals: [caller.workspace, 'listed'],
    place: createdPlace(parts, caller, 'sources', 'dc'),
    cursorOf: ({ id }) => cursorOfId(id),
    textsOf: (value) => [(value as SourceView).sourceId, (value as SourceView).name, (value as SourceView).nameSlug],
    sortOf: (value) => (value as SourceView).createdAt,
  };
  return readSearchedPage(parts.views(), list, input);
}
