import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onnxFile } from './onnx-file.ts';

export interface ColourWord {
  readonly word: string;
  /** The colour of its photos: red, green and blue from 0 to 1. */
  readonly rgb: readonly [number, number, number];
}

const UNKNOWN = '[UNK]';

/**
 * A folder with an image-text model in the layout of Hugging Face: photos map to their mean colour, texts to
 * the sum of their words' colours. Results are predictable, and it loads like any other model.
 */
export async function writeImageTextModel(dir: string, words: readonly ColourWord[]): Promise<void> {
  await mkdir(join(dir, 'onnx'), { recursive: true });
  const vocabulary = [UNKNOWN, ...words.map(({ word }) => word)];
  const json = {
    'config.json': {
      model_type: 'clip',
      architectures: ['CLIPModel'],
      projection_dim: 3,
      text_config: { model_type: 'clip_text_model' },
      vision_config: { model_type: 'clip_vision_model' },
    },
    'preprocessor_config.json': {
      image_processor_type: 'CLIPImageProcessor',
      do_resize: true,
      size: { shortest_edge: 8 },
      do_center_crop: true,
      crop_size: { height: 8, width: 8 },
      do_rescale: true,
      rescale_factor: 1 / 255,
      do_normalize: true,
      image_mean: [0.5, 0.5, 0.5],
      image_std: [0.5, 0.5, 0.5],
      resample: 3,
    },
    'tokenizer_config.json': {
      tokenizer_class: 'PreTrainedTokenizerFast',
      model_max_length: 16,
      pad_token: UNKNOWN,
      unk_token: UNKNOWN,
    },
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: [],
      normalizer: { type: 'Lowercase' },
      pre_tokenizer: { type: 'Whitespace' },
      post_processor: null,
      decoder: null,
      model: {
        type: 'WordLevel',
        unk_token: UNKNOWN,
        vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
      },
    },
  };
  for (const [file, content] of Object.entries(json))
    await writeFile(join(dir, file), JSON.stringify(content));
  await writeFile(join(dir, 'onnx', 'text_model.onnx'), textModel(words));
  await writeFile(join(dir, 'onnx', 'vision_model.onnx'), visionModel());
}

/** Centred like the photo's colours after preprocessing: from -1 to 1. */
function textModel(words: readonly ColourWord[]): Buffer {
  const rows = [[0, 0, 0], ...words.map(({ rgb }) => rgb.map((value) => value * 2 - 1))];
  return onnxFile({
    inputs: [{ name: 'input_ids', type: 'int64', shape: ['texts', 'tokens'] }],
    outputs: [{ name: 'text_embeds', type: 'float', shape: ['texts', 3] }],
    weights: [{ name: 'words', shape: [rows.length, 3], values: rows.flat() }],
    nodes: [
      { op: 'Gather', inputs: ['words', 'input_ids'], outputs: ['each'], attributes: { axis: 0 } },
      {
        op: 'ReduceMean',
        inputs: ['each'],
        outputs: ['text_embeds'],
        attributes: { axes: [1], keepdims: 0 },
      },
    ],
  });
}

function visionModel(): Buffer {
  return onnxFile({
    inputs: [{ name: 'pixel_values', type: 'float', shape: ['photos', 3, 8, 8] }],
    outputs: [{ name: 'image_embeds', type: 'float', shape: ['photos', 3] }],
    weights: [],
    nodes: [
      { op: 'GlobalAveragePool', inputs: ['pixel_values'], outputs: ['mean'] },
      { op: 'Flatten', inputs: ['mean'], outputs: ['image_embeds'], attributes: { axis: 1 } },
    ],
  });
}
