// Times as the API shows them.

/** `created_at` and `updated_at` are epoch seconds (component-api.md 1.1). */
export const epochSeconds = (epochMs: number): number => Math.floor(epochMs / 1000);
