import { account as accountDe } from './account/de.ts';
import { account as accountEn } from './account/en.ts';
import { account as accountEs } from './account/es.ts';
import { account as accountFr } from './account/fr.ts';
import { adding as addingDe } from './adding/de.ts';
import { adding as addingEn } from './adding/en.ts';
import { adding as addingEs } from './adding/es.ts';
import { adding as addingFr } from './adding/fr.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { recordTexts as recordsDe } from './records/de.ts';
import { recordTexts as recordsEn } from './records/en.ts';
import { recordTexts as recordsEs } from './records/es.ts';
import { recordTexts as recordsFr } from './records/fr.ts';
import { settingTexts as settingsDe } from './settings/de.ts';
import { settingTexts as settingsEn } from './settings/en.ts';
import { settingTexts as settingsEs } from './settings/es.ts';
import { settingTexts as settingsFr } from './settings/fr.ts';
import { sheetTexts as sheetsDe } from './sheets/de.ts';
import { sheetTexts as sheetsEn } from './sheets/en.ts';
import { sheetTexts as sheetsEs } from './sheets/es.ts';
import { sheetTexts as sheetsFr } from './sheets/fr.ts';
import { viewTexts as viewsDe } from './views/de.ts';
import { viewTexts as viewsEn } from './views/en.ts';
import { viewTexts as viewsEs } from './views/es.ts';
import { viewTexts as viewsFr } from './views/fr.ts';

/** All texts of the page by language, of every part: for tests and tools. The page loads them part by part. */
export const ALL_TEXTS = {
  en: { ...en, ...accountEn, ...addingEn, ...recordsEn, ...settingsEn, ...sheetsEn, ...viewsEn },
  de: { ...de, ...accountDe, ...addingDe, ...recordsDe, ...settingsDe, ...sheetsDe, ...viewsDe },
  fr: { ...fr, ...accountFr, ...addingFr, ...recordsFr, ...settingsFr, ...sheetsFr, ...viewsFr },
  es: { ...es, ...accountEs, ...addingEs, ...recordsEs, ...settingsEs, ...sheetsEs, ...viewsEs },
} as const;
