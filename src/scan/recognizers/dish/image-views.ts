import type { Photo, Pixels } from '../../images/photo.ts';
import type { Box } from '../../scan-result.ts';
import type { ModelDescription, View } from './model-description.ts';

const CHANNELS = 3;

type InputRule = Pick<ModelDescription, 'input' | 'views'>;

/** The views of a photo, or of a part of it, as network input, in the layout and scale of the model's description. */
export async function toTensors(photo: Photo, rule: InputRule, part?: Box): Promise<Float32Array[]> {
  const { width, height, fit, kernel, shrink } = rule.input;
  const tensors: Float32Array[] = [];
  for (const view of rule.views.default) {
    const isCentre = view.startsWith('centre');
    // The full-size middle is cut out of an accordingly enlarged whole.
    const share = isCentre ? rule.views.centreShare : 1;
    const larger = (side: number) => Math.round(side / share);
    const pixels = await photo.rgb({
      widthPx: larger(width),
      heightPx: larger(height),
      fit,
      kernel,
      ...(part && { part }),
      ...(shrink !== undefined && {
        shrink: {
          widthPx: larger(shrink.width),
          heightPx: larger(shrink.height),
          quality: shrink.webp,
          ...(shrink.kernel && { kernel: shrink.kernel }),
        },
      }),
    });
    tensors.push(toTensor(pixels, view, rule.input));
  }
  return tensors;
}

function toTensor(pixels: Pixels, view: View, input: InputRule['input']): Float32Array {
  const { width, height, layout, colour, mean, std } = input;
  const left = (pixels.widthPx - width) >> 1;
  const top = (pixels.heightPx - height) >> 1;
  const isMirrored = view.endsWith('mirror');
  const [pixelStep, channelStep] = layout === 'nchw' ? [1, width * height] : [CHANNELS, 1];
  const tensor = new Float32Array(CHANNELS * width * height);
  for (let channel = 0; channel < CHANNELS; channel++) {
    const source = colour === 'rgb' ? channel : CHANNELS - 1 - channel;
    const scale = 1 / (255 * std[channel]!);
    const shift = -mean[channel]! / std[channel]!;
    for (let y = 0; y < height; y++) {
      const row = (top + y) * pixels.widthPx + left;
      for (let x = 0; x < width; x++) {
        const from = row + (isMirrored ? width - 1 - x : x);
        const value = pixels.data[from * CHANNELS + source]!;
        tensor[(y * width + x) * pixelStep + channel * channelStep] = value * scale + shift;
      }
    }
  }
  return tensor;
}
