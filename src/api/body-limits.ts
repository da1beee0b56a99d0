// Sizes in bytes.

/** Maximum size of a body, except images. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Maximum size of an operation's body, by its content: a few times the size that its schema allows. */
export const BODY_LIMITS = {
  /** Some short fields, as JSON or as a form. */
  fields: 8 * 1024,
  /** One diary entry, the goals of a day and its weekdays, or one food with its aliases. */
  item: 64 * 1024,
  /** A recipe with the maximum number of ingredients, of which each states all nutrients. */
  recipe: MAX_BODY_BYTES,
  /** The maximum number of diary entries, or of object store events, in one request. */
  batch: MAX_BODY_BYTES,
} as const;
