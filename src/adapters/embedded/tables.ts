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

/** Every table there is. */
export interface Tables {
  readonly api_keys: ApiKeysTable;
}
