// The shapes of records about publishing; records that do not match are not used.
import { either, finite, ident, json, list, natural, object, optional, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { PublishedEvent, PublishRequest, RecentIdsEvent } from './messages.ts';

const publishedEvent = object<PublishedEvent>({
  event: json,
  channel: text,
  id: optional(either(text, finite)),
  summary: optional(text),
  ts: optional(finite),
});

export const publishRequests: ShapesOf<PublishRequest> = {
  EventsPublishRequested: {
    sourceId: ident,
    events: list(publishedEvent),
    requestKey: optional(ident),
    replyTo: ident,
  },
};

export const recentIdsEvents: ShapesOf<RecentIdsEvent> = {
  RecentIdsSaved: { sourceId: ident, segment: natural, count: natural, ids: text },
};
