// Templates of transforms: each does one thing that receivers often need, and works on any event.

interface Template {
  readonly name: string;
  readonly text: string;
}

/** Sends what would be sent without a transform: a start for changes. */
export const firstTransform = `(event, metadata) => {
  return { body: event };
};
`;

export const templates: readonly Template[] = [
  {
    name: 'The event in an envelope',
    text: `(event, { event_id, event_name, emitted_at_ms }) => ({
  body: { id: event_id, type: event_name, time: new Date(emitted_at_ms).toISOString(), data: event },
});
`,
  },
  {
    name: 'Some of its fields',
    text: `({ id, name }) => ({
  body: { id, name },
});
`,
  },
  {
    name: 'Without some of its fields',
    text: `({ email, ...event }) => ({
  body: event,
});
`,
  },
  {
    name: 'A message to a chat',
    text: `// Slack takes "text", Discord "content".
(event, { event_id }) => ({
  body: { text: \`Event \${event_id}: \${JSON.stringify(event).slice(0, 500)}\` },
});
`,
  },
  {
    name: 'Headers of its own',
    text: `(event, { event_name }) => ({
  body: event,
  headers: { 'x-event-type': event_name || 'default' },
});
`,
  },
  {
    name: 'Some events only',
    text: `// null: this event is not sent, and counts as filtered.
(event) => (event.draft === true ? null : { body: event });
`,
  },
];
