import type { Attack } from './attack.ts';
import { assistantCalls } from './attacks/assistant-calls.ts';
import { brokenImports } from './attacks/broken-imports.ts';
import { clockSteps } from './attacks/clock-steps.ts';
import { customFoods } from './attacks/custom-foods.ts';
import { fullDisk, imagesOnSmallDisk, readOnlyFolder } from './attacks/disks.ts';
import { foodTexts } from './attacks/food-texts.ts';
import { foreignKeys } from './attacks/foreign-keys.ts';
import { forgedTokens } from './attacks/forged-tokens.ts';
import { formBombs } from './attacks/form-bombs.ts';
import { headerFloods } from './attacks/header-floods.ts';
import { heavyReads } from './attacks/heavy-reads.ts';
import { idleConnections } from './attacks/idle-connections.ts';
import { brokenImages } from './attacks/images/broken-images.ts';
import { imageBombsAttack } from './attacks/images/image-bombs.ts';
import { parallelUploads } from './attacks/images/parallel-uploads.ts';
import { scanQueue } from './attacks/images/scan-queue.ts';
import { nestedJson, oversizedJson } from './attacks/json-bodies.ts';
import { measurementFloods } from './attacks/measurements.ts';
import { unreadBackups } from './attacks/operator/backups.ts';
import { importStreams } from './attacks/operator/import-streams.ts';
import { operatorRoutes } from './attacks/operator/operator-routes.ts';
import { sentImports } from './attacks/operator/sent-imports.ts';
import { pageFiles } from './attacks/page-files.ts';
import { openIdSignIns } from './attacks/people/openid-sign-ins.ts';
import { peopleFloods } from './attacks/people/people-floods.ts';
import { peopleGuesses } from './attacks/people/people-guesses.ts';
import { regexBaits } from './attacks/regex-bait.ts';
import { searchTexts } from './attacks/search-texts.ts';
import { sentFiles, tricklingFiles } from './attacks/sent-files.ts';
import { slowReaders } from './attacks/slow-readers.ts';
import { slowSenders } from './attacks/slow-senders.ts';
import { openStreams } from './attacks/streams.ts';
import { webhookFloods } from './attacks/webhook-floods.ts';
import { wideReads } from './attacks/wide-reads.ts';

/** In the order of the table; those that need another setup come together. */
export const ATTACKS: readonly Attack[] = [
  slowSenders,
  slowReaders,
  idleConnections,
  openStreams,
  headerFloods,
  oversizedJson,
  nestedJson,
  formBombs,
  searchTexts,
  foodTexts,
  assistantCalls,
  regexBaits,
  forgedTokens,
  foreignKeys,
  peopleGuesses,
  peopleFloods,
  pageFiles,
  measurementFloods,
  operatorRoutes,
  importStreams,
  sentImports,
  unreadBackups,
  webhookFloods,
  parallelUploads,
  imageBombsAttack,
  brokenImages,
  brokenImports,
  scanQueue,
  customFoods,
  heavyReads,
  wideReads,
  sentFiles,
  tricklingFiles,
  openIdSignIns,
  clockSteps,
  imagesOnSmallDisk,
  fullDisk,
  readOnlyFolder,
];
