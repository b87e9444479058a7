// What of a source is listed in the shape of events: where it is found, and how a document is shown.
import type { TopicName } from '../../../../../domain/flow.ts';
import type { ViewValue } from '../../../../../domain/views/view.ts';
import type { ListOf } from '../../page-reader.ts';
import type { ShownEvent } from '../event.presenter.ts';

export interface EventsList extends Pick<ListOf, 'view' | 'index' | 'equals' | 'place'> {
  /** What feeds the view. */
  readonly topic: TopicName;
  readonly shown: (value: ViewValue) => ShownEvent;
}
