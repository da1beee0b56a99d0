import type { OperatorKeys } from '../access/operator-keys.ts';
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
import { changeKey } from './access/change-key.ts';
import { createKey } from './access/create-key.ts';
import { createToken } from './access/create-token.ts';
import { getKey } from './access/get-key.ts';
import { getTokenKeys } from './access/get-token-keys.ts';
import { listKeys } from './access/list-keys.ts';
import { listUsers } from './access/list-users.ts';
import { revokeKey } from './access/revoke-key.ts';
import { rotateKey } from './access/rotate-key.ts';
import { getChanges } from './changes/get-changes.ts';
import { createChangesTicket, followChanges, streamChanges } from './changes/stream-changes.ts';
import { changeEntries, changeEntry, deleteEntries } from './diary/change-entry.ts';
import { changeGoals } from './diary/change-goals.ts';
import { copyDay } from './diary/copy-day.ts';
import { createEntries } from './diary/create-entries.ts';
import { createEntry } from './diary/create-entry.ts';
import { createScanEntries } from './diary/create-scan-entries.ts';
import { createTextEntries } from './diary/create-text-entries.ts';
import { deleteEntry } from './diary/delete-entry.ts';
import { deleteGoals } from './diary/delete-goals.ts';
import { eraseUser } from './diary/erase-user.ts';
import { exportDiary } from './diary/export-diary.ts';
import { getEntry } from './diary/get-entry.ts';
import { getGoals } from './diary/get-goals.ts';
import { listFrequentFoods, listRecentFoods } from './diary/list-eaten-foods.ts';
import { listEntries, listEntriesOfRange } from './diary/list-entries.ts';
import { listNotes } from './diary/list-notes.ts';
import { putGoals } from './diary/put-goals.ts';
import { sumDay, sumDays } from './diary/sum-days.ts';
import type { EventStreams } from './event-streams.ts';
import { changeFood } from './foods/change-food.ts';
import { createFood } from './foods/create-food.ts';
import { deleteFood } from './foods/delete-food.ts';
import { getFood } from './foods/get-food.ts';
import { getFoodByBarcode } from './foods/get-food-by-barcode.ts';
import { getFoodByCode } from './foods/get-food-by-code.ts';
import { getFoods } from './foods/get-foods.ts';
import { listFoods } from './foods/list-foods.ts';
import { parseText } from './foods/parse-text.ts';
import { searchFoods } from './foods/search-foods.ts';
import { changeMeasurement } from './measurements/change-measurement.ts';
import { createMeasurement } from './measurements/create-measurement.ts';
import { deleteMeasurement } from './measurements/delete-measurement.ts';
import { getMeasurement } from './measurements/get-measurement.ts';
import { listMeasurements } from './measurements/list-measurements.ts';
import { confirmByOpenId, joinByOpenId, linkOpenId, startOpenId } from './openid/begin-openid.ts';
import { finishOpenId } from './openid/finish-openid.ts';
import { listIdentities, removeIdentity } from './openid/identities.ts';
import { getSignInMethods } from './openid/sign-in-methods.ts';
import type { Operation } from './operation.ts';
import { activateCatalogue } from './operator/activate-catalogue.ts';
import type { Catalogues } from './operator/catalogue-json.ts';
import { changeOperatorKey } from './operator/change-operator-key.ts';
import { createOperatorKey } from './operator/create-operator-key.ts';
import { type Backup, downloadBackup } from './operator/download-backup.ts';
import { endAnySession } from './operator/end-any-session.ts';
import { getOperatorStatus, type OperatorStatus } from './operator/get-operator-status.ts';
import { getScanQueue } from './operator/get-scan-queue.ts';
import { cancelImport } from './operator/imports/cancel-import.ts';
import { getImport } from './operator/imports/get-import.ts';
import { listImports } from './operator/imports/list-imports.ts';
import { sendImportFile } from './operator/imports/send-import-file.ts';
import { startImport } from './operator/imports/start-import.ts';
import { streamImport } from './operator/imports/stream-import.ts';
import { listAllSessions } from './operator/list-all-sessions.ts';
import { listAllWebhooks } from './operator/list-all-webhooks.ts';
import { listCatalogues } from './operator/list-catalogues.ts';
import { listEvents } from './operator/list-events.ts';
import { getOperatorKey, listOperatorKeys } from './operator/list-operator-keys.ts';
import {
  changeAnyWebhook,
  createAnyWebhook,
  redeliverAny,
  testAnyWebhook,
} from './operator/operate-webhooks.ts';
import { revokeOperatorKey } from './operator/revoke-operator-key.ts';
import { rotateOperatorKey } from './operator/rotate-operator-key.ts';
import { exportUser } from './own-data/export-user.ts';
import { importFoods } from './own-data/import-foods.ts';
import { importUser } from './own-data/import-user.ts';
import { changePassword } from './people/change-password.ts';
import { changePerson } from './people/change-person.ts';
import { confirmSession } from './people/confirm-session.ts';
import { createPerson } from './people/create-person.ts';
import { createSession } from './people/create-session.ts';
import { deletePerson } from './people/delete-person.ts';
import { deleteSession } from './people/delete-session.ts';
import { endSession } from './people/end-session.ts';
import { getSession } from './people/get-session.ts';
import { createInvitation, deleteInvitation, listInvitations } from './people/invitations.ts';
import { listPeople } from './people/list-people.ts';
import { listSessions } from './people/list-sessions.ts';
import { createOwnKey, listOwnKeys, revokeOwnKey } from './people/own-keys.ts';
import { PASSKEY_OPERATIONS } from './people/passkeys.ts';
import { createPasswordLink, notePasswordReset, resetPassword } from './people/password-links.ts';
import { changeRole, listPersonCredentials } from './people/person-credentials.ts';
import { getSharing, putSharing } from './people/sharing.ts';
import { changeRecipe } from './recipes/change-recipe.ts';
import { createRecipe } from './recipes/create-recipe.ts';
import { deleteRecipe } from './recipes/delete-recipe.ts';
import { getRecipe } from './recipes/get-recipe.ts';
import { listRecipes } from './recipes/list-recipes.ts';
import { logSavedMeal } from './records/log-meal.ts';
import { RECORD_OPERATIONS } from './records/records.ts';
import { createScan } from './scans/create-scan.ts';
import { deleteScan } from './scans/delete-scan.ts';
import { getScan } from './scans/get-scan.ts';
import { followScan, streamScan } from './scans/stream-scan.ts';

import { changeWebhook } from './webhooks/change-webhook.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { getWebhook } from './webhooks/get-webhook.ts';
import { listDeliveries } from './webhooks/list-deliveries.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { redeliver } from './webhooks/redeliver.ts';
import { rotateWebhook } from './webhooks/rotate-webhook.ts';
import { testWebhook } from './webhooks/test-webhook.ts';

/** The ports of all operations. */
export interface ApiPorts {
  readonly keys: TenantKeys;
  readonly operatorKeys: OperatorKeys;
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
  ...[searchFoods, parseText, getFoodByBarcode, getFoodByCode, getFood, createFood, changeFood, deleteFood],
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
  ...[getOperatorStatus, listOperatorKeys, createOperatorKey, getOperatorKey],
  ...[changeOperatorKey, revokeOperatorKey, rotateOperatorKey],
  ...[
    getScanQueue,
    listAllWebhooks,
    createAnyWebhook,
    testAnyWebhook,
    changeAnyWebhook,
    redeliverAny,
    listAllSessions,
    listEvents,
    endAnySession,
    downloadBackup,
  ],
  ...[listCatalogues, activateCatalogue],
  ...[startImport, listImports, getImport, sendImportFile, cancelImport, streamImport],
];
