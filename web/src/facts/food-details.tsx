import type { Food, FoodFacts, NutrientDescription } from 'larder-client';
import type { ComponentChildren } from 'preact';
import '../styles/facts.css';
import { listOf } from '../days.ts';
import { energyText } from '../parts/measures.ts';
import { FOOD_NUTRIENTS, type FoodNutrient } from '../parts/nutrients.ts';
import { Problem } from '../parts/problem-line.tsx';
import { language, numbers, texts } from '../texts/texts.ts';
import { type FactNutrient, FURTHER_FACTS, furtherName } from './nutrient-names.ts';
import { useFacts } from './read-facts.ts';
import { referenceMeaning, referenceOf, unitOf, useNutrients } from './references.ts';
import { factTexts } from './texts/texts.ts';
import { areAllergensStated, wordsOf } from './warnings.ts';

/** All that is known of a food: what its sources state, and its nutrients beside reference values. */
export function FoodDetails({ food }: { readonly food: Food }) {
  const { isRead, facts, problem, retry } = useFacts(food);
  return (
    <>
      <Problem text={problem} onRetry={retry} />
      {!isRead && problem === '' && <p class="loading" aria-busy="true" />}
      {facts !== undefined && <Stated facts={facts} />}
      <NutrientTable food={food} facts={facts} />
      {isRead && facts === undefined && <p class="quiet note fact-note">{factTexts.value.noFacts}</p>}
    </>
  );
}

/** Statements of the sources beside nutrients. */
function Stated({ facts }: { readonly facts: FoodFacts }) {
  const all = factTexts.value;
  const { labels = [], additives = [], nutriScore, nova, quantity, allergens = [], traces = [] } = facts;
  const ingredients = Object.entries(facts.ingredients ?? {});
  const inLanguage = (code: string) => ingredients.find(([tag]) => tag === code);
  const [code, text] = inLanguage(language.value) ?? inLanguage('en') ?? ingredients[0] ?? [];
  const suitable = (['vegan', 'vegetarian'] as const).find((diet) => facts[diet] === 'yes');
  return (
    <section class="food-facts" aria-label={all.about}>
      <h3>{all.about}</h3>
      <dl>
        <Fact name={all.ingredients} isLong>
          {text === undefined ? undefined : (
            <span lang={code} dir="auto">
              {text}
            </span>
          )}
        </Fact>
        <Fact name={all.allergensOf}>
          {areAllergensStated(facts) && (allergens.length === 0 ? '–' : listOf(allergens.map(allergenName)))}
        </Fact>
        {traces.length > 0 && <Fact name={all.traces}>{listOf(traces.map(allergenName))}</Fact>}
        {suitable !== undefined && <Fact name={all.suitable}>{all.diets[suitable]}</Fact>}
        {labels.length > 0 && (
          <Fact name={all.labels}>
            <Tags tags={labels} />
          </Fact>
        )}
        <Fact name="Nutri-Score">{nutriScore?.toUpperCase()}</Fact>
        <Fact name={all.processing}>
          {nova !== undefined && `NOVA ${nova}: ${all.novaGroups[nova as keyof typeof all.novaGroups]}`}
        </Fact>
        {additives.length > 0 && (
          <Fact name={all.additives}>{listOf(additives.map((tag) => readable(tag).toUpperCase()))}</Fact>
        )}
        {quantity !== undefined && <Fact name={all.quantity}>{quantity}</Fact>}
        <Fact name={all.origin}>
          {facts.sources.map(({ id, link, licence }) => (
            <span key={id} class="origin">
              <a href={link} target="_blank" rel="noreferrer">
                {new URL(link).hostname.replace('world.', '')}
              </a>{' '}
              <span class="quiet note">{licence}</span>
            </span>
          ))}
        </Fact>
      </dl>
    </section>
  );
}

interface FactProps {
  readonly name: string;
  /** Whether the text stands below its name. */
  readonly isLong?: boolean;
  readonly children: ComponentChildren;
}

/** A row that says "not stated" without a value. */
function Fact({ name, isLong = false, children }: FactProps) {
  const isStated = children !== undefined && children !== false;
  return (
    <div class={isLong ? 'long' : undefined}>
      <dt>{name}</dt>
      <dd>{isStated ? children : <span class="quiet">{factTexts.value.notStated}</span>}</dd>
    </div>
  );
}

/** Tags are words of the source in its language. */
function Tags({ tags }: { readonly tags: readonly string[] }) {
  return tags.map((tag, at) => (
    <span key={tag} lang={tag.slice(0, 2)}>
      {at > 0 && ', '}
      {readable(tag)}
    </span>
  ));
}

/** `en:no-gluten` → `no gluten` */
function readable(tag: string): string {
  return wordsOf(tag).replaceAll('-', ' ');
}

function allergenName(tag: string): string {
  const names: Readonly<Record<string, string>> = factTexts.value.allergens;
  return names[tag.replace(/^en:/, '')] ?? readable(tag);
}

interface NutrientTableProps {
  readonly food: Food;
  readonly facts: FoodFacts | undefined;
}

/** Nutrients of 100 g, or of the serving where no others are known. What nothing states is said, and never 0. */
function NutrientTable({ food, facts }: NutrientTableProps) {
  const { nutrientNames, energy, inAmount } = texts.value;
  const { macros, per100, servingSize, unknown = [] } = food;
  const described = useNutrients();
  const known: Readonly<Partial<Record<FactNutrient, number>>> = facts?.nutrients ?? per100 ?? macros;
  const amountOf = (key: FactNutrient) =>
    (unknown as readonly string[]).includes(key) ? undefined : known[key];
  const isLiquid = facts?.per === 'ml' || servingSize.unit === 'ml' || servingSize.unit === 'fl_oz';
  const basis =
    facts === undefined && per100 === undefined
      ? (servingSize.label ?? `${servingSize.value} ${servingSize.unit}`)
      : `100 ${isLiquid ? 'ml' : 'g'}`;
  const rows = [
    ...(Object.keys(FOOD_NUTRIENTS) as FoodNutrient[]).map((key) => [key, nutrientNames[key]] as const),
    ...FURTHER_FACTS.map((key) => [key, furtherName(key, language.value)] as const),
  ];
  const ofFoods = rows.slice(0, Object.keys(FOOD_NUTRIENTS).length);
  const unstated = ofFoods.filter(([key]) => amountOf(key) === undefined).map(([, name]) => name);
  return (
    <section class="food-facts" aria-label={inAmount(basis)}>
      <h3>{inAmount(basis)}</h3>
      <dl>
        {amountOf('energy') !== undefined && (
          <div>
            <dt>{energy}</dt>
            <dd>{energyText(amountOf('energy')!)}</dd>
          </div>
        )}
        {rows.map(([key, name]) => {
          const amount = amountOf(key);
          const nutrient = described.find((each) => each.nutrient === key);
          const unit = unitOf(key, nutrient);
          if (amount === undefined || unit === undefined) return null;
          return (
            <div key={key}>
              <dt>{name}</dt>
              <dd>{besideReference(amount, unit, nutrient)}</dd>
            </div>
          );
        })}
      </dl>
      {unstated.length > 0 && (
        <p class="quiet note fact-note">{factTexts.value.nutrientsNotStated(listOf(unstated))}</p>
      )}
      {described.length > 0 && <p class="quiet note fact-note">{referenceMeaning()}</p>}
    </section>
  );
}

/** `60 of 75 mg reference`; `60 of 70–80 mg reference` where it depends on the sex, which is not known. */
function besideReference(amount: number, unit: string, nutrient: NutrientDescription | undefined): string {
  const shown = numbers.value.precise(Number(amount.toPrecision(3)));
  const reference = referenceOf(nutrient);
  if (reference === undefined) return `${shown} ${unit}`;
  return factTexts.value.ofReference(shown, `${reference} ${unit}`);
}
