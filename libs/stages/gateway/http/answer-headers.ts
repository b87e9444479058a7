// Headers of the gateway's own answers: they hold keys, so no cache keeps them, and browsers must not guess their type.

export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
