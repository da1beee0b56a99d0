import type { BarSymbol, Element } from './symbols.ts';

/** Samples for each module after resampling. */
const SAMPLES = 6;
/** Tolerance of the ends, in samples. */
const SLACK = 12;
/** Maximum difference in width between an element and its neighbours, because of perspective and curved paper. */
const MAX_STRETCH = 4;
/** Cost of a sample of stretch, squared, in units of squared contrast. */
const STRETCH_COST = 0.02;
/** Optical blur as the deviation of a Gaussian, in modules. */
const BLURS = [0.35, 0.65, 1];
const OFFSETS = 2 * SLACK + 1;
/** Minimum share for accepting a reading without comparing others. */
const GOOD_FIT = 0.9;
/** Minimum share of the contrast that bars must explain. */
const LEAST_GAIN = 0.3;

/** A number read along one line across the bars. */
export interface ProfileReading {
  readonly format: BarSymbol['format'];
  readonly digits: string;
  /** Share of the brightness differences explained by the printed bars, at most 1. */
  readonly fit: number;
  /** Distance to the best other reading of the least certain digit, in squared contrast. */
  readonly margin: number;
}

interface Template {
  /** Indexed by width - narrowest, then by look. */
  readonly byWidth: readonly (readonly Float32Array[])[];
  readonly narrowest: number;
}

/**
 * Reads barcodes that are too blurred or too small to find edges in. For each digit it chooses the one whose blurred
 * bars are most similar to the brightness along a line. Widths of digits may drift along the line; dynamic programming
 * finds the best of all alignments.
 *
 *     cost(boundary k + 1 at b) = min over width w, look l: cost(boundary k at b - w) + |line(b - w .. b) - look l|²
 */
export class ProfileReader {
  readonly #templates = new Map<string, Template>();

  /** `line` is brightness; the bars begin at about `from` and end at about `to`, within a module. */
  read(line: Float32Array, from: number, to: number, symbol: BarSymbol): ProfileReading | undefined {
    const modules = symbol.elements.reduce((sum, element) => sum + element.modules, 0);
    const signal = toContrast(line, from, to, modules);
    let best: Alignment | undefined;
    for (const blur of BLURS) {
      const rough = this.#align(signal, symbol, blur);
      if (!(rough.gain > LEAST_GAIN)) continue;
      if (1 - rough.cost / rough.energy > GOOD_FIT) {
        best = rough;
        break;
      }
      // Blurred templates have less contrast than the normalised line: scale the line to them, then align again.
      const scaled = signal.map((value) => (value - rough.bias) / rough.gain);
      const alignment = this.#align(scaled, symbol, blur);
      if (best === undefined || alignment.cost / alignment.energy < best.cost / best.energy) best = alignment;
    }
    if (best === undefined) return undefined;
    const digits = best.choices.filter((_, at) => symbol.elements[at]!.looks.length > 1);
    const text = symbol.spell(digits);
    if (text === undefined) return undefined;
    return { format: symbol.format, digits: text, fit: 1 - best.cost / best.energy, margin: best.margin };
  }

  #align(signal: Float32Array, { elements }: BarSymbol, blur: number): Alignment {
    let costs = new Float64Array(OFFSETS);
    const steps: { from: Int16Array; widths: Int16Array }[] = [];
    let nominal = SLACK;
    for (const element of elements) {
      const template = this.#template(element, blur);
      const next = new Float64Array(OFFSETS).fill(Number.POSITIVE_INFINITY);
      const cameFrom = new Int16Array(OFFSETS);
      const widths = new Int16Array(OFFSETS);
      const plain = element.modules * SAMPLES;
      for (let offset = 0; offset < OFFSETS; offset++) {
        const at = nominal + offset - SLACK;
        for (const [index, looks] of template.byWidth.entries()) {
          const width = template.narrowest + index;
          const stretch = width - plain;
          const arrival = offset + stretch;
          if (arrival < 0 || arrival >= OFFSETS) continue;
          const soFar = costs[offset]! + STRETCH_COST * stretch * stretch;
          if (soFar >= next[arrival]!) continue;
          const cost = soFar + leastCost(signal, at, looks, next[arrival]! - soFar);
          if (cost < next[arrival]!) {
            next[arrival] = cost;
            cameFrom[arrival] = offset;
            widths[arrival] = width;
          }
        }
      }
      steps.push({ from: cameFrom, widths });
      costs = next;
      nominal += plain;
    }
    return this.#trace(signal, elements, blur, costs, steps, nominal);
  }

  /** Follows the best alignment back and compares the looks of each element. */
  #trace(
    signal: Float32Array,
    elements: readonly Element[],
    blur: number,
    costs: Float64Array,
    steps: readonly { from: Int16Array; widths: Int16Array }[],
    length: number,
  ): Alignment {
    let offset = 0;
    for (let each = 1; each < OFFSETS; each++) if (costs[each]! < costs[offset]!) offset = each;
    const cost = costs[offset]!;
    const endAt = length + offset - SLACK;
    const choices = new Array<number>(elements.length);
    let margin = Number.POSITIVE_INFINITY;
    let at = endAt;
    const sums = { n: 0, x: 0, y: 0, xx: 0, xy: 0 };
    for (let index = elements.length - 1; index >= 0; index--) {
      const { from, widths } = steps[index]!;
      const width = widths[offset]!;
      at -= width;
      const template = this.#template(elements[index]!, blur);
      const looks = template.byWidth[width - template.narrowest]!;
      const each = looks.map((look) => costOf(signal, at, look, Number.POSITIVE_INFINITY));
      const chosen = each.indexOf(Math.min(...each));
      choices[index] = chosen;
      if (looks.length > 1) {
        const other = Math.min(...each.filter((_, look) => look !== chosen));
        margin = Math.min(margin, other - each[chosen]!);
      }
      addTo(sums, looks[chosen]!, signal, at);
      offset = from[offset]!;
    }
    const gain = (sums.n * sums.xy - sums.x * sums.y) / (sums.n * sums.xx - sums.x * sums.x);
    const bias = (sums.y - gain * sums.x) / sums.n;
    return { cost, choices, margin, energy: energyOf(signal, at, endAt), gain, bias };
  }

  #template(element: Element, blur: number): Template {
    const { looks, before, after, modules } = element;
    const key = `${before}${looks.length}${looks[0]}${after}${blur}`;
    const known = this.#templates.get(key);
    if (known !== undefined) return known;
    const reach = Math.min(MAX_STRETCH, Math.floor((modules * SAMPLES) / 8));
    const narrowest = modules * SAMPLES - reach;
    const byWidth = Array.from({ length: 2 * reach + 1 }, (_, index) =>
      looks.map((bits) => blurred(bits, before, after, narrowest + index, blur)),
    );
    const template = { byWidth, narrowest };
    this.#templates.set(key, template);
    return template;
  }
}

interface Alignment {
  readonly cost: number;
  /** The look of each element. */
  readonly choices: readonly number[];
  readonly margin: number;
  /** Squared deviation of the signal from its mean: the unexplained part without bars. */
  readonly energy: number;
  /** Regression line from the templates to the signal. */
  readonly gain: number;
  readonly bias: number;
}

/** Adds the terms for the regression of `signal` from `at` on `look`. */
function addTo(
  sums: { n: number; x: number; y: number; xx: number; xy: number },
  look: Float32Array,
  signal: Float32Array,
  at: number,
): void {
  sums.n += look.length;
  for (let i = 0; i < look.length; i++) {
    const x = look[i]!;
    const y = signal[at + i]!;
    sums.x += x;
    sums.y += y;
    sums.xx += x * x;
    sums.xy += x * y;
  }
}

function leastCost(signal: Float32Array, at: number, looks: readonly Float32Array[], limit: number): number {
  let least = limit;
  for (const look of looks) least = Math.min(least, costOf(signal, at, look, least));
  return least;
}

/** Squared differences, stopping above `limit`. */
function costOf(signal: Float32Array, at: number, look: Float32Array, limit: number): number {
  let sum = 0;
  for (let i = 0; i < look.length && sum < limit; i++) {
    const difference = signal[at + i]! - look[i]!;
    sum += difference * difference;
  }
  return sum;
}

function energyOf(signal: Float32Array, from: number, to: number): number {
  const part = signal.subarray(from, to);
  const mean = part.reduce((sum, value) => sum + value, 0) / part.length;
  return part.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/** The bars of `bits`, 1 dark and 0 light, over `width` samples, blurred by a Gaussian of `blur` modules. */
function blurred(bits: string, before: string, after: string, width: number, blur: number): Float32Array {
  const all = `${before.repeat(3)}${bits}${after.repeat(3)}`;
  return Float32Array.from({ length: width }, (_, i) => {
    const place = ((i + 0.5) * bits.length) / width + 3;
    let dark = 0;
    for (let module = 0; module < all.length; module++) {
      if (all[module] === '1') {
        dark += gaussianBelow((module + 1 - place) / blur) - gaussianBelow((module - place) / blur);
      }
    }
    return dark;
  });
}

/** Logistic approximation of the normal distribution, with an error below 0.01. */
function gaussianBelow(x: number): number {
  return 1 / (1 + Math.exp(-1.702 * x));
}

/**
 * The line resampled to `SAMPLES` a module, with `SLACK` samples beyond each end and room for the longest drift. 0 is
 * the brightest and 1 the darkest value within some modules, which compensates for light and shadow.
 */
function toContrast(line: Float32Array, from: number, to: number, modules: number): Float32Array {
  const step = (to - from) / (modules * SAMPLES);
  const length = modules * SAMPLES + 4 * SLACK;
  const values = Float32Array.from({ length }, (_, i) => valueAt(line, from + (i + 0.5 - SLACK) * step));
  const reach = 9 * SAMPLES;
  const lows = smoothed(slidingExtreme(values, reach, Math.min), reach);
  const highs = smoothed(slidingExtreme(values, reach, Math.max), reach);
  return values.map((value, i) => {
    const range = highs[i]! - lows[i]!;
    return range < 4 ? 0.5 : (highs[i]! - value) / range;
  });
}

function slidingExtreme(
  values: Float32Array,
  reach: number,
  extreme: (a: number, b: number) => number,
): Float32Array {
  return values.map((value, i) => {
    let found = value;
    const last = Math.min(values.length - 1, i + reach);
    for (let at = Math.max(0, i - reach); at <= last; at++) found = extreme(found, values[at]!);
    return found;
  });
}

function smoothed(values: Float32Array, reach: number): Float32Array {
  return values.map((_, i) => {
    const from = Math.max(0, i - reach);
    const to = Math.min(values.length - 1, i + reach);
    let sum = 0;
    for (let at = from; at <= to; at++) sum += values[at]!;
    return sum / (to - from + 1);
  });
}

function valueAt(line: Float32Array, place: number): number {
  const inside = Math.min(Math.max(place, 0), line.length - 1);
  const left = Math.floor(inside);
  const right = Math.min(left + 1, line.length - 1);
  return line[left]! + (line[right]! - line[left]!) * (inside - left);
}
