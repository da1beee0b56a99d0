/** Times are whole Unix seconds; `scopes` are separated by spaces, `limits` is JSON. */
export interface ApiKeysTable {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string | null;
  readonly secret_hash: Uint8Array;
  readonly scopes: string;
  readonly limits: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  revoked_at: number | null;
}

/** Private keys as JSON Web Keys. They are why nobody but its owner may read the database file. */
export interface SigningKeysTable {
  readonly kid: string;
  readonly created_at: number;
  readonly private_jwk: string;
}

/**
 * Times are Unix milliseconds; the answer is null until there is one. `claimed_at_ms` is the first claim's. `headers` without a
 * `status` note that the request was carried out, together with what it wrote: see `REQUEST_DONE`.
 */
export interface IdempotentRequestsTable {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly idempotency_key: string;
  readonly fingerprint: Uint8Array;
  /** Whose data the answer holds; empty where it is about no user. */
  readonly subject_user_id: string;
  readonly claim_id: string;
  /** Executions that began under this name and fingerprint. */
  readonly attempt: number;
  readonly claimed_at_ms: number;
  readonly claimed_until_ms: number;
  readonly status: number | null;
  /** JSON. */
  readonly headers: string | null;
  readonly body: string | null;
}

export interface AccessTables {
  readonly api_keys: ApiKeysTable;
  readonly signing_keys: SigningKeysTable;
  readonly idempotent_requests: IdempotentRequestsTable;
}
