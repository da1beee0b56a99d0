/**
 * Records of clients, faults and auditors of one run, which are the only input of the checker. Times are
 * milliseconds since the run began, from one clock.
 */

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** A request. It took effect between its two times, or, if it failed, perhaps not at all. */
interface Request extends Span {
  readonly client: string;
  /** HTTP status; 0 without a complete response. */
  readonly status: number;
  /** Error code of the response, or why there was none. */
  readonly code?: string;
}

export interface FoodRecord extends Request {
  readonly kind: 'search' | 'barcode';
  /** The requested product. */
  readonly product: string;
  /** The returned product. */
  readonly found?: string;
  /** Generation of the catalogue that was used for the response. */
  readonly generation?: string;
}

/** An entry in a response; `mark` identifies the write that made it. */
export interface SeenEntry {
  readonly id: string;
  readonly mark: string;
}

interface DiaryRequest extends Request {
  /** One day of one user; nothing moves between days. */
  readonly diary: string;
}

export interface AddRecord extends DiaryRequest {
  readonly kind: 'add';
  /** One for each entry, unique to this write. */
  readonly marks: readonly string[];
  /** Idempotency-Key: all requests with one name are one write. */
  readonly key?: string;
  readonly added?: readonly SeenEntry[];
}

export interface ChangeRecord extends DiaryRequest {
  readonly kind: 'change';
  readonly entry: string;
  /** Identifies the change, unique to this write. */
  readonly mark: string;
  readonly ifMatch?: number;
  /** Version of the entry in the response. */
  readonly version?: number;
}

export interface RemoveRecord extends DiaryRequest {
  readonly kind: 'remove';
  readonly entry: string;
  readonly ifMatch?: number;
}

export interface ListRecord extends DiaryRequest {
  readonly kind: 'list';
  readonly entries?: readonly SeenEntry[];
}

export interface ReadRecord extends DiaryRequest {
  readonly kind: 'read';
  readonly entry: string;
  readonly mark?: string;
  readonly version?: number;
}

/** Number of entries according to the day's sums. */
export interface TotalsRecord extends DiaryRequest {
  readonly kind: 'totals';
  readonly count?: number;
}

export type DiaryRecord = AddRecord | ChangeRecord | RemoveRecord | ListRecord | ReadRecord | TotalsRecord;

/** A state of a scan, with its result or failure. */
export interface ScanState {
  readonly status: 'upload_pending' | 'processing' | 'completed' | 'failed';
  readonly outcome?: string;
}

export interface BeginRecord extends Request {
  readonly kind: 'begin';
  readonly key?: string;
  readonly job?: string;
}

export interface UploadRecord extends Request {
  readonly kind: 'upload';
  readonly job: string;
  /** The expected result of this image. */
  readonly expected: string;
}

export interface PollRecord extends Request {
  readonly kind: 'poll';
  readonly job: string;
  readonly state?: ScanState;
}

/** One connection; `after` is the last state seen before it. */
export interface StreamRecord extends Request {
  readonly kind: 'stream';
  readonly job: string;
  readonly after: number;
  readonly messages: readonly { readonly atMs: number; readonly order: number; readonly state: ScanState }[];
}

/** A row of the jobs table at the end, with the number of settlements. */
export interface AuditRecord {
  readonly kind: 'audit';
  readonly job: string;
  readonly state: ScanState;
  readonly settlements: number;
}

export type ScanRecord = BeginRecord | UploadRecord | PollRecord | StreamRecord | AuditRecord;

/** From its start some nodes may answer from this catalogue; after its end none answers from an older one. */
export interface CatalogueRecord extends Span {
  readonly kind: 'catalogue';
  readonly generation: string;
}

/** Allowed failures, such as `503 unavailable` or `no answer`. */
export interface Allowance {
  readonly kinds: readonly RequestRecord['kind'][];
  readonly failure: string;
  /** Requests with an Idempotency-Key may not fail so, because proxies repeat them. */
  readonly unnamedOnly?: true;
  /** Time after the fault in which a new request may still fail so. */
  readonly graceMs: number;
}

export interface FaultRecord extends Span {
  readonly kind: 'fault';
  readonly name: string;
  readonly allows: readonly Allowance[];
}

export type RequestRecord = FoodRecord | DiaryRecord | Exclude<ScanRecord, AuditRecord>;
export type HistoryRecord = RequestRecord | AuditRecord | CatalogueRecord | FaultRecord;

/** A broken guarantee, with the evidence. */
export interface Violation {
  readonly rule: string;
  readonly message: string;
  readonly records: readonly HistoryRecord[];
}

/** Whether a write took effect, according to its response. */
export type Certainty = 'done' | 'refused' | 'unknown';

export function certaintyOf({ status }: Pick<Request, 'status'>): Certainty {
  if (status >= 200 && status < 300) return 'done';
  return status >= 400 && status < 500 ? 'refused' : 'unknown';
}
