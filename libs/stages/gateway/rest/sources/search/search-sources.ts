// Lists a workspace's sources: all, those with a name or a slug, or those whose name or id contains a text.
import type { SourceView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { problemsOf } from '../../../http/input/field-problem.ts';
import { cursorOfId } from '../../../http/pages/cursor.ts';
import { positionByCreation } from '../../owned-documents.ts';
import type { DocumentPage } from '../../lists/page-reader.ts';
import { readSearchedPage } from '../../lists/searched-list.ts';
import type { SearchableViewList } from '../../lists/searched-list.ts';
import type { SourcesDto } from '../sources.dto.ts';

export function searchSources(
  parts: Parts<'deleted' | 'views'>,
  caller: Caller,
  input: SourcesDto,
): Promise<DocumentPage> {
  const list: SearchableViewList = {
    view: 'sources',
    ...indexQueryOf(caller, input),
    positionOfCursor: positionByCreation(parts, caller, 'sources', 'dc'),
    cursorOf: ({ id }) => cursorOfId(id),
    textsOf: (value) => [(value as SourceView).sourceId, (value as SourceView).name, (value as SourceView).nameSlug],
    sortOf: (value) => (value as SourceView).createdAt,
  };
  return readSearchedPage(parts.views(), list, input);
}

/** Throws ApiProblem 400. */
function indexQueryOf(
  { workspace }: Caller,
  { name, name_slug: slug }: SourcesDto,
): Pick<SearchableViewList, 'index' | 'equals'> {
  if (name && slug) throw problemsOf([{ field: 'name_slug', message: 'Give `name` or `name_slug`, not both' }]);
  if (name) return { index: 'byName', equals: [workspace, 'listed', name] };
  if (slug) return { index: 'bySlug', equals: [workspace, 'listed', slug] };
  return { index: 'byWorkspace', equals: [workspace, 'listed'] };
}
