import sharp from 'sharp';
import type { Box } from '../../src/scan/scan-result.ts';
import type { SetPhoto } from './photo-sets.ts';
import { Random } from './search-random.ts';

/** A photo of a single food. */
export interface FoodPhoto extends SetPhoto {
  readonly foodId: string;
}

/** A picture of two to four foods, put together of photos of one each. */
export interface Plate {
  readonly bytes: Buffer;
  readonly foodIds: readonly string[];
}

/** Sizes of plates: landscape, square, portrait. */
const SIZES = [
  [640, 480],
  [512, 512],
  [480, 640],
] as const;
const MOST_FOODS = 4;
/** A cut lies at most this share of the side away from the middle. */
const UNEVEN = 0.12;
const WHOLE: Box = { left: 0, top: 0, width: 1, height: 1 };

/** Composes plates of photos of different foods: the same ones for the same seed. */
export async function composePlates(
  photos: readonly FoodPhoto[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Plate[]> {
  const random = new Random({ seed });
  const plates: Plate[] = [];
  for (let i = 0; i < count; i++) {
    const boxes = cut(2 + (i % (MOST_FOODS - 1)), random);
    const taken: FoodPhoto[] = [];
    while (taken.length < boxes.length) {
      const photo = random.pick(photos);
      if (taken.every(({ foodId }) => foodId !== photo.foodId)) taken.push(photo);
    }
    const [widthPx, heightPx] = random.pick(SIZES);
    const bytes = await drawPlate(taken, boxes, { widthPx, heightPx });
    plates.push({ bytes, foodIds: taken.map(({ foodId }) => foodId) });
  }
  return plates;
}

/** Cuts a picture in two, and then the larger parts of it again across. */
function cut(parts: number, random: Random): Box[] {
  const isUpright = random.next() < 0.5;
  const [first, second] = halves(WHOLE, isUpright, random);
  if (parts === 2) return [first, second];
  if (parts === 3) {
    const [larger, smaller] =
      first.width * first.height > second.width * second.height ? [first, second] : [second, first];
    return [smaller, ...halves(larger, !isUpright, random)];
  }
  return [...halves(first, !isUpright, random), ...halves(second, !isUpright, random)];
}

function halves(box: Box, isUpright: boolean, random: Random): readonly [Box, Box] {
  const share = 0.5 + (2 * random.next() - 1) * UNEVEN;
  const { left, top, width, height } = box;
  return isUpright
    ? [
        { ...box, width: width * share },
        { ...box, left: left + width * share, width: width * (1 - share) },
      ]
    : [
        { ...box, height: height * share },
        { ...box, top: top + height * share, height: height * (1 - share) },
      ];
}

/** Each photo fills its box. */
async function drawPlate(
  photos: readonly FoodPhoto[],
  boxes: readonly Box[],
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
): Promise<Buffer> {
  const parts = await Promise.all(
    boxes.map(async (box, at) => {
      const left = Math.round(box.left * widthPx);
      const top = Math.round(box.top * heightPx);
      const input = await sharp(photos[at]!.bytes)
        .resize({
          width: Math.round((box.left + box.width) * widthPx) - left,
          height: Math.round((box.top + box.height) * heightPx) - top,
          fit: 'cover',
        })
        .toBuffer();
      return { input, left, top };
    }),
  );
  const background = {
    create: { width: widthPx, height: heightPx, channels: 3, background: '#888' },
  } as const;
  return sharp(background).composite(parts).jpeg({ quality: 90 }).toBuffer();
}
