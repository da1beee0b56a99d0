import type { texts as en } from './en.ts';

export const texts: typeof en = {
  description: 'Un diario de comidas en tu propio servidor.',
  shortcuts: ['Escanear un código', 'Añadir un alimento', 'Anotar el peso'],
};
