import type { z } from 'zod';

// What one body may take. Times in milliseconds, sizes in bytes.

/** The longest body, except of images. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The longest body of an operation, by what it holds: a few times what its schema can take. */
export const BODY_LIMITS = {
  /** Some short fields, as JSON or as a form. */
  fields: 8 * 1024,
  /** One diary entry, or one food with its aliases. */
  item: 64 * 1024,
  /** A recipe with all the ingredients that it may have. */
  recipe: 256 * 1024,
  /** As many diary entries, or events of an object store, as one request may have. */
  batch: MAX_BODY_BYTES,
} as const;
export const MAX_FORM_FIELDS = 32;
/** Values in a body of JSON, at any depth. The largest batch of entries has 2,000. */
export const MAX_JSON_VALUES = 20_000;
/** How deeply arrays and objects may be nested, so that bodies can be walked recursively. Ours have at most four levels. */
export const MAX_JSON_DEPTH = 64;
/**
 * However small a chunk or packet of a body is, it costs about 2 us, and 200 bytes until the body is whole. A sender that
 * writes each token of JSON by itself needs 8,000 for the largest batch of entries.
 */
export const MAX_SMALL_PIECES = 20_000;
export const SMALL_PIECE_BYTES = 128;
/** How much of a refused upload is read and dropped while the client goes on sending; then the connection is cut. */
export const MAX_DROPPED_BYTES = 32 * 1024 * 1024;

/** Until a body that is no image has arrived, after its headers: `MAX_BODY_BYTES` over 300 kbit/s take 28 s. */
export const BODY_TIMEOUT_MS = 30_000;
/** An image of which nothing comes for this long is given up, so that it holds no place which others could use. */
export const UPLOAD_STALL_MS = 20_000;

export interface JsonBody<Schema extends z.ZodType = z.ZodType> {
  /** Where bodies have several forms, a function: the schema of the form that this one is meant to have. */
  readonly schema: Schema | ((body: unknown) => Schema);
  /** What the document says of the body instead, where `schema` takes more than it describes or is a function. */
  readonly described?: z.ZodType;
  /** Absent only where the operation is no part of the API. */
  readonly example?: unknown;
  /**
   * The longest body in bytes, see `BODY_LIMITS`. `one` and `many`: of a body that is not an array, and of one that is. The
   * first byte tells them apart.
   */
  readonly limit: number | { readonly one: number; readonly many: number };
  /** The request may come without a body, which is then read as `{}`. */
  readonly optional?: true;
  /** The body may also come as a form. */
  readonly form?: true;
  /** The body may also come as `application/ld+json`, which the document describes so. */
  readonly jsonLd?: { readonly schema: z.ZodType; readonly example: unknown };
}

/** `raw`: of any type and length; the handler reads the bytes. */
export type BodyDeclaration = JsonBody | 'raw';
