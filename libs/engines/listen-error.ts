// Describes why the HTTP server cannot listen.

/** The server cannot listen on the address. */
export class ListenError extends Error {
  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    const reason =
      cause.code === 'EADDRINUSE'
        ? 'is in use. End the process that has it, or set PORT to another one.'
        : `cannot be listened on (${cause.code}). Set PORT, or HOST to an address of this machine.`;
    super(`Port ${port} of ${host} ${reason}`, { cause });
    this.name = 'ListenError';
  }
}
