import {
  AutoConfig,
  AutoProcessor,
  AutoTokenizer,
  CLIPTextModelWithProjection,
  CLIPVisionModelWithProjection,
  env,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  type Processor,
  RawImage,
  SiglipTextModel,
  SiglipVisionModel,
  type Tensor,
} from '@huggingface/transformers';
import { OperatorError } from '@larder/core/errors.ts';
import type { Photo } from '../../images/photo.ts';
import { type HubOptions, hubFetch } from './hub-fetch.ts';

/** A model's source: a folder in the layout of Hugging Face, or a name there, downloaded once. */
export type ImageTextSource =
  | { readonly dir: string }
  | { readonly hubId: string; readonly cacheDir: string; readonly hub: HubOptions };

/** Two families of image-text models, with different text input and output. */
const FAMILIES = {
  clip: {
    text: CLIPTextModelWithProjection,
    vision: CLIPVisionModelWithProjection,
    textOutput: 'text_embeds',
    visionOutput: 'image_embeds',
    padding: true,
    /** Factor on similarities before softmax: CLIP learnt the highest allowed value. */
    similarityScale: 100,
  },
  siglip: {
    text: SiglipTextModel,
    vision: SiglipVisionModel,
    textOutput: 'pooler_output',
    visionOutput: 'pooler_output',
    padding: 'max_length',
    similarityScale: 110,
  },
} as const;

/** Texts embedded in one run. */
const TEXTS_PER_RUN = 64;
/** Larger than any model's input, so that its own preprocessing decides. */
const PHOTO_SIDE_PX = 448;

interface Parts {
  readonly family: (typeof FAMILIES)[keyof typeof FAMILIES];
  readonly tokenizer: PreTrainedTokenizer;
  readonly processor: Processor;
  readonly text: PreTrainedModel;
  readonly vision: PreTrainedModel;
}

/** Embeds photos and texts in one space, where related ones are near. Vectors have length 1. */
export class ImageTextModel {
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Throws an `OperatorError` that says what is missing. */
  static async open(source: ImageTextSource): Promise<ImageTextModel> {
    const name = 'dir' in source ? source.dir : source.hubId;
    try {
      return new ImageTextModel(await load(name, source));
    } catch (cause) {
      if (cause instanceof OperatorError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new OperatorError(`The image-text model ${name} cannot be loaded: ${reason}`, { cause });
    }
  }

  get similarityScale(): number {
    return this.#parts.family.similarityScale;
  }

  async embedTexts(texts: readonly string[]): Promise<Float32Array[]> {
    const { tokenizer, text, family } = this.#parts;
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += TEXTS_PER_RUN) {
      const some = texts.slice(from, from + TEXTS_PER_RUN);
      const tokens = tokenizer(some, { padding: family.padding, truncation: true });
      vectors.push(...unitRows(((await text(tokens)) as Outputs)[family.textOutput]));
    }
    return vectors;
  }

  async embedPhoto(photo: Photo): Promise<Float32Array> {
    const { processor, vision, family } = this.#parts;
    const { data, widthPx, heightPx } = await photo.rgb({
      widthPx: PHOTO_SIDE_PX,
      heightPx: PHOTO_SIDE_PX,
      fit: 'cover',
    });
    const input = await processor(new RawImage(data, widthPx, heightPx, 3));
    return unitRows(((await vision(input)) as Outputs)[family.visionOutput])[0]!;
  }

  async close(): Promise<void> {
    await this.#parts.text.dispose();
    await this.#parts.vision.dispose();
  }
}

type Outputs = Record<string, Tensor>;

async function load(name: string, source: ImageTextSource): Promise<Parts> {
  if ('hub' in source) env.fetch = hubFetch(source.hub);
  const options = {
    ...('dir' in source ? { local_files_only: true } : { cache_dir: source.cacheDir }),
    // One thread a model, because photos are analysed in parallel.
    session_options: { intraOpNumThreads: 1 },
  };
  const processor = await AutoProcessor.from_pretrained(name, options);
  const tokenizer = await AutoTokenizer.from_pretrained(name, options);
  const { model_type: type } = await AutoConfig.from_pretrained(name, options);
  const family = familyOf(name, type);
  const [text, vision] = [
    await family.text.from_pretrained(name, { ...options, dtype: 'auto' }),
    await family.vision.from_pretrained(name, { ...options, dtype: 'auto' }),
  ];
  return { family, tokenizer, processor, text, vision };
}

function familyOf(name: string, type: string | null): Parts['family'] {
  const family = FAMILIES[type as keyof typeof FAMILIES];
  if (family !== undefined) return family;
  throw new OperatorError(
    `${name} is a model of type ${type}; image-text models are of type ${Object.keys(FAMILIES).join(' or ')}.`,
  );
}

function unitRows(tensor: Tensor | undefined): Float32Array[] {
  if (tensor === undefined) throw new Error('it has not the outputs of its kind');
  const [rows = 0, width = 0] = tensor.dims;
  const values = tensor.data as Float32Array;
  return Array.from({ length: rows }, (_, row) => toUnit(values.slice(row * width, (row + 1) * width)));
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
