// Headers of the gateway's answers: these can hold keys, so no cache may keep them; browsers must not guess their type.

export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
