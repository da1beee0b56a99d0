import { z } from 'zod';

/**
 * The responses that clients rely on. They are stated independently of the service's own schemas: a check that shares
 * them could find no error in them. Further fields are allowed.
 */
export const amount = z.number().min(0);
const time = z.iso.datetime();

export const errorShape = z.object({
  error: z.object({
    code: z.string().regex(/^[a-z_]+$/),
    message: z.string().min(1),
    requestId: z.string().min(1),
    details: z.record(z.string(), z.unknown()),
  }),
});

export const v1Food = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  barcode: z.string().optional(),
  servingSize: z.object({ value: z.number().positive(), unit: z.string().min(1) }),
  macros: z.looseObject({ energy: amount, protein: amount, fat: amount, carbohydrates: amount }),
  source: z.enum(['public_dataset', 'third_party_api', 'manual_entry']),
  created_at: time,
  createdAt: time,
  updatedAt: time,
});
export type V1Food = z.infer<typeof v1Food>;

export const unversionedFood = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  brand: z.string().nullable(),
  serving: z.object({ amount: z.number().positive(), unit: z.string().min(1) }),
  macros: z.object({ calories: amount, protein: amount, carbs: amount, fat: amount }),
});

export const diaryEntry = z.object({
  id: z.string().min(1),
  userId: z.string(),
  date: z.iso.date(),
  mealType: z.enum(['breakfast', 'lunch', 'dinner', 'snacks']),
  foodName: z.string(),
  calories: amount,
  protein: amount,
  carbs: amount,
  fat: amount,
  addedMethod: z.enum(['manual', 'barcode', 'image', 'recipe']),
  createdAt: time,
  updatedAt: time,
});

export const totals = z.object({
  calories: amount,
  protein: amount,
  carbs: amount,
  fat: amount,
  fiber: amount,
  sodium: amount,
});

/** The error of a token request. */
export const oauthError = z.object({ error: z.string(), error_description: z.string() });

export const token = z.object({
  access_token: z.string().min(1),
  token_type: z.literal('Bearer'),
  expires_in: z.int().positive(),
  scope: z.string(),
});

const failure = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() });

export const createdScan = z.object({ jobId: z.string().min(1), uploadUrl: z.url() });

const plate = z.object({
  name: z.string(),
  calories: amount,
  protein: amount,
  carbs: amount,
  fat: amount,
  servingSize: amount,
  items: z.array(z.object({ name: z.string(), barcode: z.string().optional(), origin: z.string() })),
});

/** A message of the stream; polling returns the same fields and more. */
export const scanState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('upload_pending'), jobId: z.string() }),
  z.object({ status: z.literal('processing'), jobId: z.string() }),
  z.object({ status: z.literal('completed'), jobId: z.string(), result: plate }),
  z.object({ status: z.literal('failed'), jobId: z.string(), error: failure }),
]);
export type ReportedScan = z.infer<typeof scanState>;

export const unversionedScan = z.discriminatedUnion('status', [
  z.object({ status: z.literal('processing') }),
  z.object({
    status: z.literal('complete'),
    result: z.object({
      items: z.array(
        z.object({
          name: z.string(),
          serving: z.object({ amount: z.number().positive(), unit: z.string() }),
          macros: z.object({ calories: amount, protein: amount, carbs: amount, fat: amount }),
        }),
      ),
    }),
  }),
  z.object({ status: z.literal('failed'), error: failure }),
]);
