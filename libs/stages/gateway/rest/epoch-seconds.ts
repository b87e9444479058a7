// Converts times to the form that the API shows.

/** `created_at` and `updated_at` are epoch seconds (docs/reference/component-api.md, "REST records"). */
export const epochSeconds = (epochMs: number): number => Math.floor(epochMs / 1000);
