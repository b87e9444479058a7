// What people read in place of a secret, in answers, consoles and records. Sent back in an update, it leaves the secret as it is.

export const secretShown = '[secret]';
