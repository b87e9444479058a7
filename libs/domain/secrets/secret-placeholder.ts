// The text shown instead of a secret in responses, consoles and records. In an update it keeps the secret unchanged.

export const secretPlaceholder = '[secret]';
