// What the API shows in place of a secret. A client may send it back, and the secret stays as it is.

export const secretShown = '[secret]';
