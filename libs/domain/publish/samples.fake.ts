// A well-formed record of each message about publishing, with every optional field.

export const publishSamples = {
  triggers: {
    EventsPublishRequested: {
      sourceId: 'dc_1',
      requestKey: 'req_1',
      replyTo: 'gw_1',
      events: [{ event: { a: [1] }, channel: 'c', id: 1, summary: 's', ts: 1 }],
    },
  },
  state: { RecentIdsSaved: { sourceId: 'dc_1', segment: 0, count: 1, ids: 'AAAA' } },
} as const;
