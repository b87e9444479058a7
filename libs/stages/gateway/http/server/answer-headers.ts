// Headers of every answer that is the gateway's own: kept nowhere, since answers hold keys, and taken for what they say they are.

export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
