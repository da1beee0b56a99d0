import type { SecurityEventStore } from '../access/security-event-store.ts';
import type { TenantDirectory } from '../access/tenant-directory.ts';
import type { TenantKeys } from '../access/tenant-keys.ts';
import type { SigningKeyRing } from '../access/tokens/signing-keys.ts';
import type { TokenIssuer } from '../access/tokens/token-issuer.ts';
import type { Diary } from '../diary/diary.ts';
import type { FeedPages } from '../diary/feed/feed-pages.ts';
import type { FeedTickets } from '../diary/feed/feed-tickets.ts';
import type { GoalBook } from '../diary/goal-book.ts';
import type { MeasurementBook } from '../diary/measurement-book.ts';
import type { RecipeBook } from '../diary/recipe-book.ts';
import type { RecordBook } from '../diary/record-book.ts';
import type { CustomFoodWriter } from '../foods/custom/custom-food-writer.ts';
import type { CatalogueImports } from '../foods/import/catalogue-imports.ts';
import type { FoodDirectory } from '../foods/visible-foods.ts';
import type { UserImports } from '../own-data/user-imports.ts';
import type { Confirmation } from '../people/confirmation.ts';
import type { Household } from '../people/household.ts';
import type { OpenIdSignIns } from '../people/openid/openid-sign-ins.ts';
import type { OwnKeys } from '../people/own-keys.ts';
import type { Passkeys } from '../people/passkeys/passkeys.ts';
import type { People } from '../people/people.ts';
import type { Sessions } from '../people/sessions.ts';
import type { ScanFeed } from '../scan/jobs/scan-feed.ts';
import type { ScanOverview } from '../scan/jobs/scan-overview.ts';
import type { Scans } from '../scan/jobs/scans.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { changeKey, createKey, getKey, listKeys, revokeKey, rotateKey } from './access/keys.ts';
import { listUsers } from './access/list-users.ts';
import { createToken, getTokenKeys } from './access/tokens.ts';
import { createChangesTicket, followChanges, getChanges, streamChanges } from './changes/changes.ts';
import { listFrequentFoods, listNotes, listRecentFoods, sumDay, sumDays } from './diary/days.ts';
import { copyDay, createScanEntries, createTextEntries } from './diary/derived-entries.ts';
import {
  changeEntries,
  changeEntry,
  createEntries,
  createEntry,
  deleteEntries,
  deleteEntry,
  getEntry,
  listEntries,
  listEntriesOfRange,
} from './diary/entries.ts';
import { changeGoals, deleteGoals, getGoals, putGoals } from './diary/goals.ts';
import type { EventStreams } from './event-streams.ts';
import { getFoodByBarcode, getFoodByCode, parseText, searchFoods } from './foods/food-look-ups.ts';
import {
  changeFood,
  createFood,
  deleteFood,
  getFood,
  getFoodFacts,
  getFoods,
  listFoods,
} from './foods/foods.ts';
import { listNutrients } from './foods/list-nutrients.ts';
import {
  changeMeasurement,
  createMeasurement,
  deleteMeasurement,
  getMeasurement,
  listMeasurements,
} from './measurements/measurements.ts';
import {
  confirmByOpenId,
  finishOpenId,
  getSignInMethods,
  joinByOpenId,
  linkOpenId,
  listIdentities,
  removeIdentity,
  startOpenId,
} from './openid/openid.ts';
import type { Operation } from './operation.ts';
import { endAnySession, listAllSessions } from './operator/all-sessions.ts';
import { activateCatalogue, type Catalogues, listCatalogues } from './operator/catalogues.ts';
import {
  cancelImport,
  getImport,
  listImports,
  sendImportFile,
  startImport,
  streamImport,
} from './operator/imports.ts';
import { listAllWebhooks } from './operator/list-all-webhooks.ts';
import {
  type Backup,
  downloadBackup,
  getOperatorStatus,
  getScanQueue,
  listEvents,
  type OperatorStatus,
} from './operator/status.ts';
import { eraseUser, exportDiary, exportUser, importFoods, importUser } from './own-data/own-data.ts';
import { createInvitation, deleteInvitation, listInvitations } from './people/invitations.ts';
import { createOwnKey, listOwnKeys, revokeOwnKey } from './people/own-keys.ts';
import { PASSKEY_OPERATIONS } from './people/passkeys.ts';
import { createPasswordLink, notePasswordReset, resetPassword } from './people/password-links.ts';
import { changePassword, changePerson, createPerson, deletePerson, listPeople } from './people/people.ts';
import { changeRole, listPersonCredentials } from './people/person-credentials.ts';
import {
  confirmSession,
  createSession,
  deleteSession,
  endSession,
  getSession,
  listSessions,
} from './people/sessions.ts';
import { getSharing, putSharing } from './people/sharing.ts';
import { changeRecipe, createRecipe, deleteRecipe, getRecipe, listRecipes } from './recipes/recipes.ts';
import { logSavedMeal, RECORD_OPERATIONS } from './records/records.ts';
import { createScan, deleteScan, followScan, getScan, streamScan } from './scans/scans.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhook,
  testWebhook,
} from './webhooks/webhooks.ts';

/** The ports of all operations. */
export interface ApiPorts {
  readonly keys: TenantKeys;
  readonly makeBackup: () => Promise<Backup>;
  readonly scanOverview: ScanOverview;
  readonly catalogues: () => Promise<Catalogues>;
  readonly catalogueImports: () => Promise<CatalogueImports>;
  readonly operatorStatus: () => Promise<OperatorStatus>;
  readonly people: People;
  readonly ownKeys: OwnKeys;
  readonly household: Household;
  readonly sessions: Sessions;
  readonly confirmation: Confirmation;
  /** Absent if sign-in by OpenID is not configured. */
  readonly openId: OpenIdSignIns | undefined;
  readonly passkeys: Passkeys;
  readonly securityEvents: SecurityEventStore;
  readonly tenants: TenantDirectory;
  readonly tokens: TokenIssuer;
  readonly signingKeys: SigningKeyRing;
  readonly foods: FoodDirectory;
  readonly customFoods: CustomFoodWriter;
  readonly diary: Diary;
  readonly recipes: RecipeBook;
  readonly goals: GoalBook;
  readonly measurements: MeasurementBook;
  readonly records: RecordBook;
  readonly imports: UserImports;
  readonly feeds: FeedPages;
  readonly feedTickets: FeedTickets;
  readonly scans: Scans;
  readonly scanFeed: ScanFeed;
  readonly streams: EventStreams;
  readonly webhooks: Webhooks;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** All operations of the API, in the order of the OpenAPI document. */
export const OPERATIONS: readonly Operation<ApiPorts>[] = [
  ...[
    searchFoods,
    parseText,
    getFoodByBarcode,
    getFoodByCode,
    getFood,
    getFoodFacts,
    listNutrients,
    createFood,
    changeFood,
    deleteFood,
  ],
  ...[listFoods, getFoods, importFoods],
  ...[
    createEntry,
    createEntries,
    createTextEntries,
    createScanEntries,
    getEntry,
    changeEntry,
    deleteEntry,
    changeEntries,
    deleteEntries,
    listEntries,
    listEntriesOfRange,
    sumDay,
    sumDays,
    listNotes,
    copyDay,
    exportDiary,
  ],
  ...[createRecipe, listRecipes, getRecipe, changeRecipe, deleteRecipe],
  ...[createMeasurement, listMeasurements, getMeasurement, changeMeasurement, deleteMeasurement],
  ...[...RECORD_OPERATIONS, logSavedMeal],
  ...[getGoals, putGoals, changeGoals, deleteGoals],
  ...[listRecentFoods, listFrequentFoods, getChanges, streamChanges],
  ...[createChangesTicket, followChanges],
  ...[exportUser, importUser, eraseUser],
  ...[createToken, getTokenKeys, listKeys, createKey, getKey, changeKey, revokeKey, rotateKey, listUsers],
  ...[
    createPerson,
    listPeople,
    changePerson,
    changePassword,
    createPasswordLink,
    resetPassword,
    notePasswordReset,
    getSharing,
    putSharing,
    deletePerson,
  ],
  ...[createOwnKey, listOwnKeys, revokeOwnKey],
  ...[
    getSignInMethods,
    joinByOpenId,
    linkOpenId,
    confirmByOpenId,
    listIdentities,
    removeIdentity,
    startOpenId,
    finishOpenId,
  ],
  ...PASSKEY_OPERATIONS,
  ...[createSession, confirmSession, getSession, deleteSession, listSessions, endSession],
  ...[createInvitation, listInvitations, deleteInvitation, listPersonCredentials, changeRole],
  ...[createScan, getScan, deleteScan, streamScan, followScan],
  ...[createWebhook, listWebhooks, getWebhook, changeWebhook, deleteWebhook, rotateWebhook],
  ...[testWebhook, listDeliveries, redeliver],
  ...[getOperatorStatus, getScanQueue, listAllWebhooks, listAllSessions, listEvents, endAnySession],
  ...[downloadBackup],
  ...[listCatalogues, activateCatalogue],
  ...[startImport, listImports, getImport, sendImportFile, cancelImport, streamImport],
];
