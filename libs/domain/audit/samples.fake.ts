// One well-formed record of every message about checkpoints.
const signed = {
  ...({ topic: 'channels', partition: 0 } as const),
  line: '{"version":1}',
  signatures: [{ keyId: 'k', signature: 'AAAA' }],
};

export const auditCommandSamples = { ChangeAuditKey: { formerKeyId: 'k' } };

export const auditSamples = {
  checkpoints: {
    CheckpointSigned: {
      ...signed,
      window: { first: 0, offset: 0, end: 9, edge: ['ab'], before: '' },
      subtrees: [{ level: 10, index: 0, root: 'ab' }],
      prints: 'AAAA',
    },
  },
  trees: {
    TreeMoved: { ...signed, count: 1, offset: 1, edge: ['ab'], trimmed: { count: 0, offset: 0 } },
    AuditKeyMade: { keyId: 'k', publicKey: 'AAAA', sealed: 'AAAA' },
  },
};
