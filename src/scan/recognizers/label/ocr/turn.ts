import type { Pixels } from '../../../images/photo.ts';
import type { Area } from './text-detector.ts';

/** The area cut out and turned clockwise by that many quarters. */
export function turn(
  { widthPx, data }: Pixels,
  { left, top, width, height }: Area,
  quarters: number,
): Pixels {
  const isUpended = quarters % 2 === 1;
  const turned = {
    widthPx: isUpended ? height : width,
    heightPx: isUpended ? width : height,
    data: new Uint8Array(width * height),
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [column, row] = [
        [x, y],
        [height - 1 - y, x],
        [width - 1 - x, height - 1 - y],
        [y, width - 1 - x],
      ][quarters]! as [number, number];
      turned.data[row * turned.widthPx + column] = data[(top + y) * widthPx + left + x]!;
    }
  }
  return turned;
}
