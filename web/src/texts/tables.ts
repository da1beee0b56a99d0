/// <reference types="vite/client" />
import { texts as en } from './en.ts';
import type { Language } from './languages.ts';

/** Parts of the texts, each a folder: `core` is what the first view shows; the others are loaded with the code that shows them. */
export const PARTS = ['core', 'account', 'adding', 'views'] as const;

export interface Tables {
  core: typeof en;
  account: typeof import('./account/en.ts').texts;
  adding: typeof import('./adding/en.ts').texts;
  views: typeof import('./views/en.ts').texts;
}

/** A glob: for an import of a computed name Vite adds a function to the first load. */
const FILES = import.meta.glob<{ readonly texts: object }>('./{core,account,adding,views}/*.ts');

/** English of the first view is part of the page; everything else is a file of its own in the build. */
export async function loadTable<Part extends keyof Tables>(
  part: Part,
  language: Language,
): Promise<Tables[Part]> {
  if (part === 'core' && language === 'en') return en as Tables[Part];
  return (await FILES[`./${part}/${language}.ts`]!()).texts as Tables[Part];
}

type Intersection<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void
  ? All
  : never;
/** The texts of all parts. */
export type Texts = Intersection<Tables[keyof Tables]>;
