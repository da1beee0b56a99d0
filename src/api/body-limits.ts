// Sizes in bytes.

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
  /** The size of as many diary entries, or events of an object store, as one request may have. */
  batch: MAX_BODY_BYTES,
} as const;
