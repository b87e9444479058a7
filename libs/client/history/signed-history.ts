// Signed history: exports, checkpoints and proofs (docs/audit.md).
import type { Readable } from 'node:stream';
import type { Http } from '../http.ts';

export interface ExportRequest {
  /** Epoch ms. */
  readonly from?: number;
  /** Before then. */
  readonly to?: number;
  /** The last cursor in a file that broke off: alone it says where to continue. */
  readonly cursor?: string;
}

export interface AuditPublicKey {
  readonly id: string;
  /** Ed25519, 32 bytes in base64. */
  readonly public_key: string;
}

export interface CheckpointsRequest {
  readonly topic?: string;
  readonly partition?: number;
  /** Signed then or later, epoch ms. */
  readonly from?: number;
  readonly limit?: number;
  readonly after?: string;
}

export interface SignedCheckpoint {
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly count: number;
  readonly root: string;
  readonly newest: number;
  readonly trimmed: number;
  readonly time: number;
  /** The text that was signed. */
  readonly line: string;
  readonly signatures: readonly { readonly key_id: string; readonly signature: string }[];
}

export interface ProofRequest {
  readonly id: string;
  /** Both narrow the search. */
  readonly topic?: string;
  readonly time?: number;
}

export interface InclusionProof {
  readonly id: string;
  readonly index: number;
  readonly line: string;
  readonly path: readonly string[];
  readonly checkpoint: SignedCheckpoint;
}

export interface ConsistencyProof {
  readonly from: SignedCheckpoint;
  readonly to: SignedCheckpoint;
  readonly path: readonly string[];
}

export class SignedHistory {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** A file of lines; without its last line it broke off. */
  export(query: ExportRequest, signal?: AbortSignal): Promise<Readable> {
    return this.#http.stream({ path: 'history/export', query, lastEventId: undefined, signal });
  }

  async keys(): Promise<readonly AuditPublicKey[]> {
    return (await this.#get<{ readonly data: readonly AuditPublicKey[] }>('keys', {})).data;
  }

  /** For the operator alone. The next checkpoint of each partition is signed by the former key, too. */
  async changeKey(): Promise<AuditPublicKey> {
    const { data } = await this.#http.call<{ readonly data: AuditPublicKey }>({ method: 'POST', path: 'history/keys' });
    return data;
  }

  /** Oldest first. A page may be short and still have a cursor. */
  checkpoints(
    query: CheckpointsRequest = {},
  ): Promise<{ readonly data: readonly SignedCheckpoint[]; readonly end_cursor: string | null }> {
    return this.#get('checkpoints', query);
  }

  async proof(query: ProofRequest): Promise<InclusionProof> {
    return (await this.#get<{ readonly data: InclusionProof }>('proof', query)).data;
  }

  /** By the ids of two checkpoints of a partition. */
  async consistency(from: string, to: string): Promise<ConsistencyProof> {
    return (await this.#get<{ readonly data: ConsistencyProof }>('consistency', { from, to })).data;
  }

  #get<T>(path: string, query: object): Promise<T> {
    return this.#http.call({ method: 'GET', path: `history/${path}`, query });
  }
}
