import type { Attack } from './attack.ts';
import { assistantCalls } from './attacks/assistant-calls.ts';
import { brokenImages } from './attacks/broken-images.ts';
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
import { imageBombsAttack } from './attacks/image-bombs.ts';
import { nestedJson, oversizedJson } from './attacks/json-bodies.ts';
import { parallelUploads } from './attacks/parallel-uploads.ts';
import { peopleGuesses } from './attacks/people-guesses.ts';
import { regexBaits } from './attacks/regex-bait.ts';
import { scanQueue } from './attacks/scan-queue.ts';
import { searchTexts } from './attacks/search-texts.ts';
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
  webhookFloods,
  parallelUploads,
  imageBombsAttack,
  brokenImages,
  brokenImports,
  scanQueue,
  customFoods,
  heavyReads,
  wideReads,
  clockSteps,
  imagesOnSmallDisk,
  fullDisk,
  readOnlyFolder,
];
