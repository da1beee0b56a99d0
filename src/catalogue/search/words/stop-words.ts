/**
 * Small words in the languages of packaged food, and abbreviations of food tables ("not further specified"). A name
 * without them still fits.
 */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  [
    'a an and or of in on with without the for from to as at by style',
    'nfs ns nsf',
    'de du des la le les un une et ou au aux a en avec sans pour sur',
    'der die das den dem und oder mit ohne von vom zu im in aus ein eine auf',
    'el los las y o con sin del al por para una uno',
    'il lo gli i di da e ed della dello dei delle degli alla al ai con',
    'do da dos das com sem em ao no na os as um uma',
    'het een en van met zonder',
    'z ze w i na do bez',
  ].flatMap((line) => line.split(' ')),
);

export function isSmallWord(token: string): boolean {
  return SMALL_WORDS.has(token);
}
