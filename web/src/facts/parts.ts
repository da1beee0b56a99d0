import type { Load } from '../parts/later.tsx';

/** Loads a part with the texts of facts. */
function withFactTexts<P>(load: Load<P>): Load<P> {
  const loadTexts = async () => (await import('./texts/texts.ts')).loadFactTexts();
  return async () => (await Promise.all([load(), loadTexts()]))[0];
}

export const loadDetails = withFactTexts(async () => (await import('./food-details.tsx')).FoodDetails);
export const loadLogged = withFactTexts(async () => (await import('./logged-nutrients.tsx')).LoggedNutrients);
export const loadWarnings = withFactTexts(async () => (await import('./food-warnings.tsx')).FoodWarnings);
export const loadFitNote = withFactTexts(async () => (await import('./fit-note.tsx')).FitNote);
export const loadDietCard = withFactTexts(async () => (await import('./diet-card.tsx')).DietCard);
