// Calls for signed history: exports, checkpoints and proofs (docs/audit.md).
import type { Readable } from 'node:stream';
import type { Http } from '../http.ts';

export interface ExportRequest {
  /** Epoch ms. */
  readonly from?: number;
  /** Exclusive end, epoch ms. */
  readonly to?: number;
  /** The last cursor in a file that broke off: it replaces the other fields. */
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
  /** Checkpoints signed at this time or later, epoch ms. */
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
  /** The signed text. */
  readonly line: string;
  readonly signatures: readonly { readonly key_id: string; readonly signature: string }[];
}

export interface ProofRequest {
  readonly id: string;
  /** `topic` and `time` narrow the search. */
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

  /** Returns a file of lines; it is complete only with its last line. */
  export(query: ExportRequest, signal?: AbortSignal): Promise<Readable> {
    return this.#http.stream({ path: 'history/export', query, lastEventId: undefined, signal });
  }

  async keys(): Promise<readonly AuditPublicKey[]> {
    return (await this.#get<{ readonly data: readonly AuditPublicKey[] }>('keys', {})).data;
  }

  /** For the operator alone. The next checkpoint of each partition is also signed by the former key. */
  async changeKey(): Promise<AuditPublicKey> {
    const { data } = await this.#http.call<{ readonly data: AuditPublicKey }>({ method: 'POST', path: 'history/keys' });
    return data;
  }

  /** Oldest first. A page can be short and still have a cursor. */
  checkpoints(
    query: CheckpointsRequest = {},
  ): Promise<{ readonly data: readonly SignedCheckpoint[]; readonly end_cursor: string | null }> {
    return this.#get('checkpoints', query);
  }

  async proof(query: ProofRequest): Promise<InclusionProof> {
    return (await this.#get<{ readonly data: InclusionProof }>('proof', query)).data;
  }

  /** Returns a consistency proof for the ids of two checkpoints of a partition. */
  async consistency(from: string, to: string): Promise<ConsistencyProof> {
    return (await this.#get<{ readonly data: ConsistencyProof }>('consistency', { from, to })).data;
  }

  #get<T>(path: string, query: object): Promise<T> {
    return this.#http.call({ method: 'GET', path: `history/${path}`, query });
  }
}
