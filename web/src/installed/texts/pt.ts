import type { texts as en } from './en.ts';

export const texts: typeof en = {
  description: 'Um diário alimentar no seu próprio servidor.',
  shortcuts: ['Ler um código de barras', 'Adicionar alimento', 'Registrar peso'],
};
