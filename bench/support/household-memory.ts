import {
  foodsLike,
  judgeLikeness,
  MEMORY_RULE,
  type MemoryRule,
  type RememberedPhoto,
} from '../../src/scan/analysis/photo-memory.ts';
import type { Look } from './household-photos.ts';
import { calibrationError, type Guess } from './recognition-figures.ts';
import { Random } from './search-random.ts';

/** Photos that a household takes. */
const STREAM = 40;
/** The share of them that show a food which was confirmed before. */
const KNOWN = 0.5;
const CONFIRMED = [1, 3] as const;
const SLOPES = Array.from({ length: 21 }, (_, at) => 4 + at);
const NONES = Array.from({ length: 29 }, (_, at) => at / 2);
/** Probability of a right food that is not among the proposals, for the likelihood. */
const UNLISTED = 1e-6;
const MANY_PHOTOS = 5_000;
const REPEATS = 200;
const NO_LABEL = 'mix';

/** The photos of one kind, with what they show. */
export interface MemorySet {
  readonly name: string;
  readonly looks: readonly MemoryLook[];
  /** Whether two photos show the same moment, so that one says nothing of the other. */
  readonly isNear: (one: MemoryLook, other: MemoryLook) => boolean;
  /** Photos that can be confirmed, and those that are looked at afterwards; all by default. */
  readonly canConfirm?: (look: MemoryLook) => boolean;
  readonly canAsk?: (look: MemoryLook) => boolean;
}

export interface MemoryLook extends Look {
  /** The object, product or dish. */
  readonly item: string;
  /** The food of its label; absent for what no label names. */
  readonly food?: string | undefined;
  /** Whether the dish model was not trained on it. */
  readonly isKeptOut: boolean;
}

interface Shot {
  /** Absent for a food that was never confirmed. */
  readonly item?: string;
  /** Whether no label names the food. */
  readonly isNameless: boolean;
  readonly half: number;
  /** The probability of the model's best label that is not the household's. */
  readonly stranger: number;
  readonly likes: readonly { readonly foodId: string; readonly cosine: number }[];
}

/** Prints what earlier photos are worth where no label names a food, and how confidences fit. */
export function measureMemory(sets: readonly MemorySet[], households: number): void {
  const measured = sets.flatMap((set) =>
    CONFIRMED.map((photos) => ({ set, photos, shots: shotsOf(set, photos, households) })),
  );
  const halfOf = (shots: readonly Shot[], half: number) => shots.filter((shot) => shot.half === half);
  fitConfidence(measured.flatMap(({ shots }) => halfOf(shots, 0)));
  for (const { set, photos, shots } of measured) report(`${set.name}, ${photos} confirmed`, halfOf(shots, 1));
}

/** Photos of simulated households whose foods have no labels: these are taken out of what the model says. */
function shotsOf(set: MemorySet, confirmed: number, households: number): Shot[] {
  const random = new Random({ seed: 11 });
  const { isNear, canConfirm = () => true, canAsk = () => true } = set;
  const byItem = Map.groupBy(set.looks, ({ item }) => item);
  // A household has one object of each food.
  const ofFoods = [...Map.groupBy(byItem.keys(), (item) => byItem.get(item)![0]!.food ?? item).values()];
  const places = new Map(set.looks.map((look, at) => [look, at]));
  return Array.from({ length: households }).flatMap(() => {
    const items = shuffled(
      set.name.startsWith('ecustfd') ? ofFoods.map((some) => random.pick(some)) : [...byItem.keys()],
      random,
    );
    const known = items.slice(0, Math.min(12 + random.below(29), Math.floor(items.length * 0.7)));
    const foods = new Set(known.map((item) => byItem.get(item)![0]!.food));
    const memory: (RememberedPhoto & { readonly look: MemoryLook })[] = [];
    const asked: (readonly [string, MemoryLook])[] = [];
    for (const item of known) {
      const all = shuffled(byItem.get(item)!, random);
      const kept = all.filter((look) => look.vector !== undefined && canConfirm(look)).slice(0, confirmed);
      memory.push(...kept.map((look) => ({ foodId: item, vector: look.vector!, look })));
      if (kept.length === 0) continue;
      for (const look of all)
        if (look.isKeptOut && canAsk(look) && !kept.some((other) => isNear(look, other)))
          asked.push([item, look]);
    }
    const strangers = items
      .slice(known.length)
      .flatMap((item) => byItem.get(item)!)
      .filter(({ isKeptOut, food }) => isKeptOut && !(food !== undefined && foods.has(food)));
    const ofItem = [...Map.groupBy(asked, ([item]) => item).values()];
    if (ofItem.length === 0 || strangers.length === 0) return [];
    return Array.from({ length: STREAM }, (): Shot => {
      const isKnown = random.next() < KNOWN;
      const [item, look] = isKnown ? random.pick(random.pick(ofItem)) : [undefined, random.pick(strangers)];
      return {
        ...(item !== undefined && { item }),
        isNameless: look.food === undefined,
        half: places.get(look)! % 2,
        stranger: strangerOn(look, foods),
        likes: look.vector === undefined ? [] : foodsLike(look.vector, memory, MEMORY_RULE.most),
      };
    });
  });
}

/** As if the model had no labels of these foods. */
function strangerOn({ candidates }: MemoryLook, foods: ReadonlySet<string | undefined>): number {
  const others = candidates.filter(({ foodId }) => !foods.has(foodId));
  const left = candidates.reduce(
    (rest, { foodId, confidence }) => (foods.has(foodId) ? rest - confidence : rest),
    1,
  );
  return others.length === 0 || left <= 0 ? 0 : Math.min(1, others[0]!.confidence / left);
}

/** Prints the numbers under which the right foods of these photos, or none, are likeliest. */
function fitConfidence(shots: readonly Shot[]): void {
  const loss = (rule: MemoryRule) =>
    shots.reduce((sum, { item, stranger, likes }) => {
      const judged = judgeLikeness(likes, stranger, rule);
      const right = judged.find(({ foodId }) => foodId === item)?.confidence;
      const none = judged.reduce((rest, { confidence }) => rest - confidence, 1);
      return sum - Math.log(Math.max(UNLISTED, right ?? none));
    }, 0) / shots.length;
  const [best] = SLOPES.flatMap((slope) =>
    NONES.map((none) => ({ slope, none, nats: loss({ ...MEMORY_RULE, slope, none }) })),
  ).sort((a, b) => a.nats - b.nats);
  console.log(
    `household: memory: fit on ${shots.length} photos: slope ${best!.slope}, none ${best!.none}, ${best!.nats.toFixed(4)} nats; ` +
      `in use ${MEMORY_RULE.slope}, ${MEMORY_RULE.none}, ${loss(MEMORY_RULE).toFixed(4)} nats`,
  );
}

function report(name: string, shots: readonly Shot[]): void {
  const judged = shots.map((shot) => {
    const proposed = judgeLikeness(shot.likes, shot.stranger).filter(
      ({ confidence }) => confidence >= MEMORY_RULE.least,
    );
    return { ...shot, proposed };
  });
  type Judged = (typeof judged)[number];
  const share = (among: readonly Judged[], isSo: (shot: Judged) => boolean) =>
    among.length === 0 ? '–' : Math.round((100 * among.filter(isSo).length) / among.length);
  const known = judged.filter(({ item }) => item !== undefined);
  const strangers = judged.filter(({ item }) => item === undefined);
  const named = strangers.filter(({ isNameless }) => !isNameless);
  const nameless = strangers.filter(({ isNameless }) => isNameless);
  const firstOf = ({ proposed: [best] }: Judged) =>
    best && best.score >= MEMORY_RULE.first ? best : undefined;
  const isTaken = (shot: Judged) => firstOf(shot) !== undefined;
  const isRight = (shot: Judged) => firstOf(shot)?.foodId === shot.item;
  const guesses = judged.flatMap(({ item = '', proposed }): Guess[] =>
    proposed.map(({ foodId, confidence }) => ({ ranked: [foodId], wanted: item, confidence })),
  );
  const plates = known.filter(({ item }) => item!.startsWith(NO_LABEL));
  console.log(
    `household: memory: ${name}: first: right ${share(known, isRight)} %, another food ${share(known, (shot) => isTaken(shot) && !isRight(shot))} %, ` +
      `strangers taken ${share(named, isTaken)} % (that no label names: ${share(nameless, isTaken)} %); ` +
      `mixed plates right ${share(plates, isRight)} %; among three: ${share(known, ({ item, proposed }) => proposed.some(({ foodId }) => foodId === item))} %, ` +
      `strangers with a proposal ${share(strangers, ({ proposed }) => proposed.length > 0)} %; ` +
      `calibration error ${calibrationError(guesses).toFixed(3)} of ${guesses.length} proposals`,
  );
}

/** The time that comparing takes for a user with as many photos as are kept. */
export function timeMemory(): void {
  const random = new Random({ seed: 5 });
  const vector = () => Int8Array.from({ length: 128 }, () => random.below(255) - 127);
  const photos = Array.from({ length: MANY_PHOTOS }, (_, at) => ({
    foodId: `food ${at % 1_000}`,
    vector: vector(),
  }));
  const own = vector();
  for (let at = 0; at < REPEATS; at++) foodsLike(own, photos, MEMORY_RULE.most);
  const before = process.cpuUsage();
  for (let at = 0; at < REPEATS; at++) foodsLike(own, photos, MEMORY_RULE.most);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000 / REPEATS;
  console.log(
    `household: memory: ${MANY_PHOTOS} photos are compared in ${ms.toFixed(2)} ms of a processor (goal 2)`,
  );
}

function shuffled<Value>(values: readonly Value[], random: Random): Value[] {
  const left = [...values];
  return Array.from({ length: left.length }, () => left.splice(random.below(left.length), 1)[0]!);
}
