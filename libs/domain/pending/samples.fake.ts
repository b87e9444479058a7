// A well-formed record of an emit that waits, with every optional field.

export const pendingSamples = {
  EmitDelayed: {
    sourceId: 'dc_1',
    number: 0,
    pendingId: '1-0',
    dueAt: 2,
    channel: '',
    event: { a: [1, null] },
    emit: { id: 1, summary: 's', ts: 1 },
    runId: 'run_1',
    hops: 1,
    sample: true,
  },
} as const;
