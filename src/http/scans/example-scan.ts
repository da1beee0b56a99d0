import type { FoodId } from '../../catalogue/food/food.ts';
import type { ScanId, ScanJob } from '../../scan/scan-job.ts';

const TIME_MS = Date.UTC(2026, 0, 31, 12);

/** What examples of the OpenAPI document are made of. */
export const EXAMPLE_SCAN: ScanJob = {
  id: '01kg9v3h00000xw5m8kq2nce7a' as ScanId,
  tenant: 'default',
  clientId: 'phone-1',
  contentType: 'image/jpeg',
  imageType: 'photo',
  createdAtMs: TIME_MS,
  uploadExpiresAtMs: TIME_MS + 15 * 60_000,
  imageBytes: 1_234_567,
  status: 'completed',
  settledAtMs: TIME_MS + 4_000,
  result: {
    name: 'Banana',
    calories: 105.02,
    protein: 1.286,
    carbs: 26.951,
    fat: 0.389,
    servingSize: 118,
    items: [
      {
        name: 'Banana',
        foodId: 'starter:banana' as FoodId,
        origin: 'dish',
        confidence: 0.92,
        serving: { value: 118, unit: 'g' },
        servingGrams: 118,
        servingRangeGrams: { low: 90, high: 150 },
        macros: { energy: 105.02, protein: 1.286, fat: 0.389, carbohydrates: 26.951 },
        alternatives: [{ name: 'Plantain', foodId: 'starter:plantain' as FoodId, confidence: 0.05 }],
      },
    ],
  },
};

export const EXAMPLE_UPLOAD_URL =
  'https://larder.example/objects/images/01kg9v3h00000xw5m8kq2nce7a?expires=…';
