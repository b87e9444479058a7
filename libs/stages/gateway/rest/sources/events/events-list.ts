// Describes a list of a source's records in the shape of events: where to find them, and how to show a document.
import type { TopicName } from '../../../../../domain/flow.ts';
import type { ViewValue } from '../../../../../domain/views/view.ts';
import type { ViewList } from '../../lists/page-reader.ts';
import type { ShownEvent } from '../../../records/event.presenter.ts';

export interface EventsList extends Pick<ViewList, 'view' | 'index' | 'equals' | 'positionOfCursor'> {
  /** The topic that feeds the view. */
  readonly topic: TopicName;
  readonly eventOf: (value: ViewValue) => ShownEvent;
}
