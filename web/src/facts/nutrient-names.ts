import type { FoodFacts } from 'larder-client';
import type { FoodNutrient } from '../parts/nutrients.ts';
import { LANGUAGE_CODES, type Language } from '../texts/languages.ts';

export type FactNutrient = keyof FoodFacts['nutrients'];

/** Names of the nutrients that only facts have, in the order of `LANGUAGES`: en, de, fr, es, it, pt, nl, pl. One name is that of all. */
const NAMES = {
  water: 'Water|Wasser|Eau|Agua|Acqua|Água|Water|Woda',
  ash: 'Ash|Rohasche|Cendres|Cenizas|Ceneri|Cinzas|As|Popiół',
  alcohol: 'Alcohol|Alkohol|Alcool|Alcohol|Alcol|Álcool|Alcohol|Alkohol',
  starch: 'Starch|Stärke|Amidon|Almidón|Amido|Amido|Zetmeel|Skrobia',
  sucrose: 'Sucrose|Saccharose|Saccharose|Sacarosa|Saccarosio|Sacarose|Sacharose|Sacharoza',
  glucose: 'Glucose|Glucose|Glucose|Glucosa|Glucosio|Glicose|Glucose|Glukoza',
  fructose: 'Fructose|Fructose|Fructose|Fructosa|Fruttosio|Frutose|Fructose|Fruktoza',
  lactose: 'Lactose|Lactose|Lactose|Lactosa|Lattosio|Lactose|Lactose|Laktoza',
  maltose: 'Maltose|Maltose|Maltose|Maltosa|Maltosio|Maltose|Maltose|Maltoza',
  galactose: 'Galactose|Galactose|Galactose|Galactosa|Galattosio|Galactose|Galactose|Galaktoza',
  maltodextrins:
    'Maltodextrins|Maltodextrine|Maltodextrines|Maltodextrinas|Maltodestrine|Maltodextrinas|Maltodextrinen|Maltodekstryny',
  polyols:
    'Polyols|Mehrwertige Alkohole|Polyols|Polialcoholes|Polioli|Polióis|Polyolen|Alkohole wielowodorotlenowe',
  erythritol: 'Erythritol|Erythrit|Érythritol|Eritritol|Eritritolo|Eritritol|Erytritol|Erytrytol',
  isomalt: 'Isomalt|Isomalt|Isomalt|Isomalt|Isomalto|Isomalte|Isomalt|Izomalt',
  maltitol: 'Maltitol|Maltit|Maltitol|Maltitol|Maltitolo|Maltitol|Maltitol|Maltitol',
  sorbitol: 'Sorbitol|Sorbit|Sorbitol|Sorbitol|Sorbitolo|Sorbitol|Sorbitol|Sorbitol',
  xylitol: 'Xylitol|Xylit|Xylitol|Xilitol|Xilitolo|Xilitol|Xylitol|Ksylitol',
  solubleFiber:
    'Soluble fiber|Lösliche Ballaststoffe|Fibres solubles|Fibra soluble|Fibre solubili|Fibras solúveis|Oplosbare vezels|Błonnik rozpuszczalny',
  insolubleFiber:
    'Insoluble fiber|Unlösliche Ballaststoffe|Fibres insolubles|Fibra insoluble|Fibre insolubili|Fibras insolúveis|Onoplosbare vezels|Błonnik nierozpuszczalny',
  betaGlucan:
    'Beta-glucan|Beta-Glucan|Bêta-glucane|Betaglucano|Beta-glucano|Betaglucana|Bètaglucaan|Beta-glukan',
  monounsaturatedFat:
    'Monounsaturated fat|Einfach ungesättigte Fettsäuren|Acides gras mono-insaturés|Grasas monoinsaturadas|Grassi monoinsaturi|Gorduras monoinsaturadas|Enkelvoudig onverzadigd vet|Kwasy tłuszczowe jednonienasycone',
  polyunsaturatedFat:
    'Polyunsaturated fat|Mehrfach ungesättigte Fettsäuren|Acides gras polyinsaturés|Grasas poliinsaturadas|Grassi polinsaturi|Gorduras poli-insaturadas|Meervoudig onverzadigd vet|Kwasy tłuszczowe wielonienasycone',
  omega3: 'Omega-3|Omega-3|Oméga-3|Omega-3|Omega-3|Ômega-3|Omega-3|Omega-3',
  omega6: 'Omega-6|Omega-6|Oméga-6|Omega-6|Omega-6|Ômega-6|Omega-6|Omega-6',
  omega9: 'Omega-9|Omega-9|Oméga-9|Omega-9|Omega-9|Ômega-9|Omega-9|Omega-9',
  butyricAcid:
    'Butyric acid (4:0)|Buttersäure (4:0)|Acide butyrique (4:0)|Ácido butírico (4:0)|Acido butirrico (4:0)|Ácido butírico (4:0)|Boterzuur (4:0)|Kwas masłowy (4:0)',
  caproicAcid:
    'Caproic acid (6:0)|Capronsäure (6:0)|Acide caproïque (6:0)|Ácido caproico (6:0)|Acido capronico (6:0)|Ácido caproico (6:0)|Capronzuur (6:0)|Kwas kapronowy (6:0)',
  caprylicAcid:
    'Caprylic acid (8:0)|Caprylsäure (8:0)|Acide caprylique (8:0)|Ácido caprílico (8:0)|Acido caprilico (8:0)|Ácido caprílico (8:0)|Caprylzuur (8:0)|Kwas kaprylowy (8:0)',
  capricAcid:
    'Capric acid (10:0)|Caprinsäure (10:0)|Acide caprique (10:0)|Ácido cáprico (10:0)|Acido caprico (10:0)|Ácido cáprico (10:0)|Caprinezuur (10:0)|Kwas kaprynowy (10:0)',
  lauricAcid:
    'Lauric acid (12:0)|Laurinsäure (12:0)|Acide laurique (12:0)|Ácido láurico (12:0)|Acido laurico (12:0)|Ácido láurico (12:0)|Laurinezuur (12:0)|Kwas laurynowy (12:0)',
  myristicAcid:
    'Myristic acid (14:0)|Myristinsäure (14:0)|Acide myristique (14:0)|Ácido mirístico (14:0)|Acido miristico (14:0)|Ácido mirístico (14:0)|Myristinezuur (14:0)|Kwas mirystynowy (14:0)',
  palmiticAcid:
    'Palmitic acid (16:0)|Palmitinsäure (16:0)|Acide palmitique (16:0)|Ácido palmítico (16:0)|Acido palmitico (16:0)|Ácido palmítico (16:0)|Palmitinezuur (16:0)|Kwas palmitynowy (16:0)',
  stearicAcid:
    'Stearic acid (18:0)|Stearinsäure (18:0)|Acide stéarique (18:0)|Ácido esteárico (18:0)|Acido stearico (18:0)|Ácido esteárico (18:0)|Stearinezuur (18:0)|Kwas stearynowy (18:0)',
  arachidicAcid:
    'Arachidic acid (20:0)|Arachinsäure (20:0)|Acide arachidique (20:0)|Ácido araquídico (20:0)|Acido arachico (20:0)|Ácido araquídico (20:0)|Arachidezuur (20:0)|Kwas arachidowy (20:0)',
  behenicAcid:
    'Behenic acid (22:0)|Behensäure (22:0)|Acide béhénique (22:0)|Ácido behénico (22:0)|Acido beenico (22:0)|Ácido beénico (22:0)|Beheenzuur (22:0)|Kwas behenowy (22:0)',
  lignocericAcid:
    'Lignoceric acid (24:0)|Lignocerinsäure (24:0)|Acide lignocérique (24:0)|Ácido lignocérico (24:0)|Acido lignocerico (24:0)|Ácido lignocérico (24:0)|Lignocerinezuur (24:0)|Kwas lignocerynowy (24:0)',
  oleicAcid:
    'Oleic acid (18:1)|Ölsäure (18:1)|Acide oléique (18:1)|Ácido oleico (18:1)|Acido oleico (18:1)|Ácido oleico (18:1)|Oliezuur (18:1)|Kwas oleinowy (18:1)',
  linoleicAcid:
    'Linoleic acid (18:2)|Linolsäure (18:2)|Acide linoléique (18:2)|Ácido linoleico (18:2)|Acido linoleico (18:2)|Ácido linoleico (18:2)|Linolzuur (18:2)|Kwas linolowy (18:2)',
  alphaLinolenicAcid:
    'Alpha-linolenic acid (18:3)|Alpha-Linolensäure (18:3)|Acide alpha-linolénique (18:3)|Ácido alfa-linolénico (18:3)|Acido alfa-linolenico (18:3)|Ácido alfa-linolênico (18:3)|Alfa-linoleenzuur (18:3)|Kwas alfa-linolenowy (18:3)',
  gammaLinolenicAcid:
    'Gamma-linolenic acid (18:3)|Gamma-Linolensäure (18:3)|Acide gamma-linolénique (18:3)|Ácido gamma-linolénico (18:3)|Acido gamma-linolenico (18:3)|Ácido gama-linolênico (18:3)|Gamma-linoleenzuur (18:3)|Kwas gamma-linolenowy (18:3)',
  arachidonicAcid:
    'Arachidonic acid (20:4)|Arachidonsäure (20:4)|Acide arachidonique (20:4)|Ácido araquidónico (20:4)|Acido arachidonico (20:4)|Ácido araquidônico (20:4)|Arachidonzuur (20:4)|Kwas arachidonowy (20:4)',
  epa: 'EPA (20:5)',
  dpa: 'DPA (22:5)',
  dha: 'DHA (22:6)',
  erucicAcid:
    'Erucic acid (22:1)|Erucasäure (22:1)|Acide érucique (22:1)|Ácido erúcico (22:1)|Acido erucico (22:1)|Ácido erúcico (22:1)|Erucazuur (22:1)|Kwas erukowy (22:1)',
  elaidicAcid:
    'Elaidic acid (trans 18:1)|Elaidinsäure (trans 18:1)|Acide élaïdique (trans 18:1)|Ácido elaídico (trans 18:1)|Acido elaidinico (trans 18:1)|Ácido elaídico (trans 18:1)|Elaïdinezuur (trans 18:1)|Kwas elaidynowy (trans 18:1)',
  vitaminA: 'Vitamin A|Vitamin A|Vitamine A|Vitamina A|Vitamina A|Vitamina A|Vitamine A|Witamina A',
  vitaminAIu:
    'Vitamin A (IU)|Vitamin A (IE)|Vitamine A (UI)|Vitamina A (UI)|Vitamina A (UI)|Vitamina A (UI)|Vitamine A (IE)|Witamina A (j.m.)',
  retinol: 'Retinol|Retinol|Rétinol|Retinol|Retinolo|Retinol|Retinol|Retinol',
  betaCarotene:
    'Beta-carotene|Beta-Carotin|Bêta-carotène|Betacaroteno|Beta-carotene|Betacaroteno|Bètacaroteen|Beta-karoten',
  alphaCarotene:
    'Alpha-carotene|Alpha-Carotin|Alpha-carotène|Alfacaroteno|Alfa-carotene|Alfacaroteno|Alfacaroteen|Alfa-karoten',
  betaCryptoxanthin:
    'Beta-cryptoxanthin|Beta-Cryptoxanthin|Bêta-cryptoxanthine|Betacriptoxantina|Beta-criptoxantina|Betacriptoxantina|Bètacryptoxanthine|Beta-kryptoksantyna',
  lycopene: 'Lycopene|Lycopin|Lycopène|Licopeno|Licopene|Licopeno|Lycopeen|Likopen',
  luteinZeaxanthin:
    'Lutein and zeaxanthin|Lutein und Zeaxanthin|Lutéine et zéaxanthine|Luteína y zeaxantina|Luteina e zeaxantina|Luteína e zeaxantina|Luteïne en zeaxanthine|Luteina i zeaksantyna',
  vitaminD2: 'Vitamin D2|Vitamin D2|Vitamine D2|Vitamina D2|Vitamina D2|Vitamina D2|Vitamine D2|Witamina D2',
  vitaminD3: 'Vitamin D3|Vitamin D3|Vitamine D3|Vitamina D3|Vitamina D3|Vitamina D3|Vitamine D3|Witamina D3',
  vitaminE: 'Vitamin E|Vitamin E|Vitamine E|Vitamina E|Vitamina E|Vitamina E|Vitamine E|Witamina E',
  vitaminK: 'Vitamin K|Vitamin K|Vitamine K|Vitamina K|Vitamina K|Vitamina K|Vitamine K|Witamina K',
  vitaminC: 'Vitamin C|Vitamin C|Vitamine C|Vitamina C|Vitamina C|Vitamina C|Vitamine C|Witamina C',
  thiamin:
    'Thiamin (B1)|Thiamin (B1)|Thiamine (B1)|Tiamina (B1)|Tiamina (B1)|Tiamina (B1)|Thiamine (B1)|Tiamina (B1)',
  riboflavin:
    'Riboflavin (B2)|Riboflavin (B2)|Riboflavine (B2)|Riboflavina (B2)|Riboflavina (B2)|Riboflavina (B2)|Riboflavine (B2)|Ryboflawina (B2)',
  niacin:
    'Niacin (B3)|Niacin (B3)|Niacine (B3)|Niacina (B3)|Niacina (B3)|Niacina (B3)|Niacine (B3)|Niacyna (B3)',
  pantothenicAcid:
    'Pantothenic acid (B5)|Pantothensäure (B5)|Acide pantothénique (B5)|Ácido pantoténico (B5)|Acido pantotenico (B5)|Ácido pantotênico (B5)|Pantotheenzuur (B5)|Kwas pantotenowy (B5)',
  vitaminB6: 'Vitamin B6|Vitamin B6|Vitamine B6|Vitamina B6|Vitamina B6|Vitamina B6|Vitamine B6|Witamina B6',
  biotin:
    'Biotin (B7)|Biotin (B7)|Biotine (B7)|Biotina (B7)|Biotina (B7)|Biotina (B7)|Biotine (B7)|Biotyna (B7)',
  folate: 'Folate (B9)|Folat (B9)|Folates (B9)|Folato (B9)|Folati (B9)|Folato (B9)|Folaat (B9)|Foliany (B9)',
  folicAcid:
    'Folic acid|Folsäure|Acide folique|Ácido fólico|Acido folico|Ácido fólico|Foliumzuur|Kwas foliowy',
  vitaminB12:
    'Vitamin B12|Vitamin B12|Vitamine B12|Vitamina B12|Vitamina B12|Vitamina B12|Vitamine B12|Witamina B12',
  choline: 'Choline|Cholin|Choline|Colina|Colina|Colina|Choline|Cholina',
  betaine: 'Betaine|Betain|Bétaïne|Betaína|Betaina|Betaína|Betaïne|Betaina',
  inositol: 'Inositol|Inositol|Inositol|Inositol|Inositolo|Inositol|Inositol|Inozytol',
  carnitine: 'Carnitine|Carnitin|Carnitine|Carnitina|Carnitina|Carnitina|Carnitine|Karnityna',
  magnesium: 'Magnesium|Magnesium|Magnésium|Magnesio|Magnesio|Magnésio|Magnesium|Magnez',
  phosphorus: 'Phosphorus|Phosphor|Phosphore|Fósforo|Fosforo|Fósforo|Fosfor|Fosfor',
  zinc: 'Zinc|Zink|Zinc|Zinc|Zinco|Zinco|Zink|Cynk',
  copper: 'Copper|Kupfer|Cuivre|Cobre|Rame|Cobre|Koper|Miedź',
  manganese: 'Manganese|Mangan|Manganèse|Manganeso|Manganese|Manganês|Mangaan|Mangan',
  selenium: 'Selenium|Selen|Sélénium|Selenio|Selenio|Selênio|Selenium|Selen',
  iodine: 'Iodine|Jod|Iode|Yodo|Iodio|Iodo|Jodium|Jod',
  fluoride: 'Fluoride|Fluorid|Fluorure|Fluoruro|Fluoruro|Fluoreto|Fluoride|Fluorek',
  chromium: 'Chromium|Chrom|Chrome|Cromo|Cromo|Crômio|Chroom|Chrom',
  molybdenum: 'Molybdenum|Molybdän|Molybdène|Molibdeno|Molibdeno|Molibdênio|Molybdeen|Molibden',
  chloride: 'Chloride|Chlorid|Chlorure|Cloruro|Cloruro|Cloreto|Chloride|Chlorek',
  silica: 'Silica|Kieselsäure|Silice|Sílice|Silice|Sílica|Silica|Krzemionka',
  nitrate: 'Nitrate|Nitrat|Nitrate|Nitrato|Nitrato|Nitrato|Nitraat|Azotan',
  caffeine: 'Caffeine|Koffein|Caféine|Cafeína|Caffeina|Cafeína|Cafeïne|Kofeina',
  theobromine: 'Theobromine|Theobromin|Théobromine|Teobromina|Teobromina|Teobromina|Theobromine|Teobromina',
  taurine: 'Taurine|Taurin|Taurine|Taurina|Taurina|Taurina|Taurine|Tauryna',
  phytosterols:
    'Phytosterols|Phytosterine|Phytostérols|Fitoesteroles|Fitosteroli|Fitosteróis|Fytosterolen|Fitosterole',
  tryptophan: 'Tryptophan|Tryptophan|Tryptophane|Triptófano|Triptofano|Triptofano|Tryptofaan|Tryptofan',
  threonine: 'Threonine|Threonin|Thréonine|Treonina|Treonina|Treonina|Threonine|Treonina',
  isoleucine: 'Isoleucine|Isoleucin|Isoleucine|Isoleucina|Isoleucina|Isoleucina|Isoleucine|Izoleucyna',
  leucine: 'Leucine|Leucin|Leucine|Leucina|Leucina|Leucina|Leucine|Leucyna',
  lysine: 'Lysine|Lysin|Lysine|Lisina|Lisina|Lisina|Lysine|Lizyna',
  methionine: 'Methionine|Methionin|Méthionine|Metionina|Metionina|Metionina|Methionine|Metionina',
  cystine: 'Cystine|Cystin|Cystine|Cistina|Cistina|Cistina|Cystine|Cystyna',
  phenylalanine:
    'Phenylalanine|Phenylalanin|Phénylalanine|Fenilalanina|Fenilalanina|Fenilalanina|Fenylalanine|Fenyloalanina',
  tyrosine: 'Tyrosine|Tyrosin|Tyrosine|Tirosina|Tirosina|Tirosina|Tyrosine|Tyrozyna',
  valine: 'Valine|Valin|Valine|Valina|Valina|Valina|Valine|Walina',
  arginine: 'Arginine|Arginin|Arginine|Arginina|Arginina|Arginina|Arginine|Arginina',
  histidine: 'Histidine|Histidin|Histidine|Histidina|Istidina|Histidina|Histidine|Histydyna',
  alanine: 'Alanine|Alanin|Alanine|Alanina|Alanina|Alanina|Alanine|Alanina',
  asparticAcid:
    'Aspartic acid|Asparaginsäure|Acide aspartique|Ácido aspártico|Acido aspartico|Ácido aspártico|Asparaginezuur|Kwas asparaginowy',
  glutamicAcid:
    'Glutamic acid|Glutaminsäure|Acide glutamique|Ácido glutámico|Acido glutammico|Ácido glutâmico|Glutaminezuur|Kwas glutaminowy',
  glycine: 'Glycine|Glycin|Glycine|Glicina|Glicina|Glicina|Glycine|Glicyna',
  proline: 'Proline|Prolin|Proline|Prolina|Prolina|Prolina|Proline|Prolina',
  serine: 'Serine|Serin|Sérine|Serina|Serina|Serina|Serine|Seryna',
  casein: 'Casein|Casein|Caséine|Caseína|Caseina|Caseína|Caseïne|Kazeina',
  serumProteins:
    'Whey proteins|Molkenproteine|Protéines de lactosérum|Proteínas del suero|Proteine del siero|Proteínas do soro|Wei-eiwitten|Białka serwatkowe',
} as const satisfies Readonly<Record<Exclude<FactNutrient, 'energy' | FoodNutrient>, string>>;

type Further = keyof typeof NAMES;
/** Nutrients that only facts have, in the order in which they are shown. */
export const FURTHER_FACTS = Object.keys(NAMES) as readonly Further[];

export function furtherName(key: Further, language: Language): string {
  const names = NAMES[key].split('|');
  return names[LANGUAGE_CODES.indexOf(language)] ?? names[0]!;
}
