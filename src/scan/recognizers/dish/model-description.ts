import { OperatorError } from '@larder/core/errors.ts';
import { z } from 'zod';

const channels = (each: z.ZodNumber) => z.tuple([each, each, each]);
const share = z.number().min(0).max(1);
const file = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'has to be a plain file name');
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const sidePx = z.int().min(8).max(1024);
const kernel = z.enum(['cubic', 'linear', 'lanczos3']);
const MAX_VIEWS = 8;

/** Views of a photo: the image under `input.fit`, the middle `centreShare` of its width and height, and both mirrored. */
const view = z.enum(['whole', 'mirror', 'centre', 'centre-mirror']);

/**
 * `model.json`. The result of a photo is the mean over its views: `p = mean of softmax(logits / temperature)`. The confidence
 * of a label is `p[label] / (1 - p[notFood.index])`, without `notFood` `p[label]`; that of a food is the sum over its labels.
 */
const descriptionSchema = z
  .strictObject({
    schemaVersion: z.literal(1),
    name: z.string().min(1).max(100),
    version: z.string().min(1).max(100),
    network: z.strictObject({ file, sha256, bytes: z.int().positive() }),
    labels: z.strictObject({ file, sha256 }),
    input: z.strictObject({
      /** Name of the tensor in the ONNX graph. */
      name: z.string().min(1),
      /** The type is float32 even if the network computes in half precision. */
      type: z.literal('float32'),
      /** `nhwc` is the layout of TensorFlow. */
      layout: z.enum(['nchw', 'nhwc']),
      /** `any`: all views in one run. A number: exactly that many in a run. */
      batch: z.union([z.literal('any'), z.int().min(1).max(64)]),
      width: sidePx,
      height: sidePx,
      /** `squash`: scaled to `width` × `height`. `cover`: scaled in proportion, then cropped to the middle. */
      fit: z.enum(['squash', 'cover']),
      /** Shrinking averages the covered area, as in sharp and Pillow. */
      kernel,
      /**
       * A photo larger both ways is first scaled to `width` × `height` under `fit`, compressed as WebP of quality `webp`
       * (effort 6) and decoded. `kernel` defaults to that of `input`; `area` is `INTER_AREA` of OpenCV.
       */
      shrink: z
        .strictObject({
          width: sidePx,
          height: sidePx,
          kernel: z.enum([...kernel.options, 'area']).optional(),
          webp: z.int().min(1).max(100),
        })
        .optional(),
      /** Pixels are upright, in sRGB, white behind transparency. */
      colour: z.enum(['rgb', 'bgr']),
      /** For each colour: `(byte / 255 - mean) / std`. */
      mean: channels(z.number()),
      std: channels(z.number().positive()),
    }),
    /** `classes` is the length of the last dimension, and the number of labels. */
    output: z.strictObject({ name: z.string().min(1), type: z.literal('float32'), classes: z.int().min(1) }),
    /**
     * What is kept of a photo to recognize the same food again: `output` of the network has `width` numbers of each view, those of its `towers`
     * one after the other; the file reduces them to `size` bytes. See `InnerProjection`.
     */
    memory: z
      .strictObject({
        output: z.string().min(1),
        towers: z.int().min(1).max(16),
        width: z.int().min(1).max(65_536),
        size: z.int().min(8).max(1024),
        projection: z.strictObject({ file, sha256 }),
      })
      .refine(({ towers, width }) => width % towers === 0, {
        path: ['width'],
        message: 'has to be a multiple of towers',
      })
      .optional(),
    /**
     * How several foods on a photo are found: `output` of the network has the logits at `rows` × `columns` places of each view, whose mean is
     * the result. Absent: a photo has one food. See `PlateReader`.
     */
    plates: z
      .strictObject({
        output: z.string().min(1),
        rows: z.int().min(2).max(64),
        columns: z.int().min(2).max(64),
        /** Quarters are looked at if the places differ by at least this much, in nats. */
        variety: z.number().min(0),
        /** The share of the places in what a quarter shows; the rest is what the network says of the quarter alone. */
        placesShare: share,
        /** Weights of the logits of a food's probabilities, and of the variety, for the probability that it is there. */
        weights: z.strictObject({
          quarter: z.number(),
          whole: z.number(),
          elsewhere: z.number(),
          variety: z.number(),
          bias: z.number(),
        }),
        /** A food counts if it is there with at least this probability. */
        atLeast: share,
      })
      .optional(),
    views: z.strictObject({
      allowed: z.array(view).min(1),
      default: z.array(view).min(1).max(MAX_VIEWS),
      centreShare: z.number().min(0.1).max(1),
    }),
    temperature: z.number().positive(),
    /** The temperature by `set` of `labels.tsv`, where the likeliest label at `temperature` is in that set. */
    temperatures: z.record(z.string().min(1), z.number().positive()).optional(),
    /** Not food if `p[index]` is at least `atLeast`; null: the model cannot tell. */
    notFood: z
      .strictObject({ score: z.literal('label'), index: z.int().nonnegative(), atLeast: share })
      .nullable(),
    /** Unsure if the confidence of the best food is below; null: never. */
    unsure: z.strictObject({ score: z.literal('food-confidence'), below: share }).nullable(),
  })
  .refine(({ views }) => views.default.every((each) => views.allowed.includes(each)), {
    path: ['views', 'default'],
    message: 'has to be out of those that are allowed',
  })
  .refine(
    ({ views, plates }) => plates === undefined || views.default.every((each) => !each.startsWith('centre')),
    {
      path: ['plates'],
      message: 'needs views.default of whole and mirror alone, whose places are those of the photo',
    },
  )
  .refine(({ notFood, output }) => notFood === null || notFood.index < output.classes, {
    path: ['notFood', 'index'],
    message: 'has to be one of the classes',
  });

export type ModelDescription = z.infer<typeof descriptionSchema>;
export type View = z.infer<typeof view>;

/** Throws an `OperatorError` that names the file and the field. */
export function parseDescription(path: string, json: string): ModelDescription {
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch (cause) {
    throw new OperatorError(`${path} is not JSON.`, { cause });
  }
  const parsed = descriptionSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OperatorError(`${path}: ${issue!.path.join('.') || 'as a whole'}: ${issue!.message}.`);
}
