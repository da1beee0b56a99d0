// This file is generated from the OpenAPI documents by `npm run openapi`.
import type { List } from '../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../http/options.ts';
import { type ResourceClass, resource } from './resource.ts';
import type * as t from '../generated/types.gen.ts';

/** The input and the answer of each operation, and whether a part of the input is required. */
export interface Operations {
  'GET /v1/foods/search': [t.SearchFoodsData, t.SearchFoodsResponse, 'optional'];
  'POST /v1/foods/parse': [t.ParseTextData, t.ParseTextResponse, 'required'];
  'GET /v1/foods/barcode/{upc}': [t.GetFoodByBarcodeData, t.GetFoodByBarcodeResponse, 'required'];
  'GET /v1/foods/barcode': [t.GetFoodByCodeData, t.GetFoodByCodeResponse, 'required'];
  'GET /v1/foods/{id}': [t.GetFoodData, t.GetFoodResponse, 'required'];
  'PATCH /v1/foods/{id}': [t.ChangeFoodData, t.ChangeFoodResponse, 'required'];
  'DELETE /v1/foods/{id}': [t.DeleteFoodData, t.DeleteFoodResponse, 'required'];
  'GET /v1/foods/{id}/facts': [t.GetFoodFactsData, t.GetFoodFactsResponse, 'required'];
  'GET /v1/nutrients': [t.ListNutrientsData, t.ListNutrientsResponse, 'optional'];
  'POST /v1/foods': [t.CreateFoodData, t.CreateFoodResponse, 'required'];
  'GET /v1/foods': [t.ListFoodsData, t.ListFoodsResponse, 'optional'];
  'GET /v1/foods/batch': [t.GetFoodsData, t.GetFoodsResponse, 'required'];
  'POST /v1/foods/import': [t.ImportFoodsData, t.ImportFoodsResponse, 'required'];
  'POST /v1/users/{userId}/diary': [t.CreateDiaryEntryData, t.CreateDiaryEntryResponse, 'required'];
  'GET /v1/users/{userId}/diary': [t.ListDiaryEntriesData, t.ListDiaryEntriesResponse, 'required'];
  'POST /v1/users/{userId}/diary/batch': [t.CreateDiaryEntriesData, t.CreateDiaryEntriesResponse, 'required'];
  'PATCH /v1/users/{userId}/diary/batch': [t.ChangeDiaryEntriesData, t.ChangeDiaryEntriesResponse, 'required'];
  'POST /v1/users/{userId}/diary/text': [t.CreateDiaryEntriesFromTextData, t.CreateDiaryEntriesFromTextResponse, 'required'];
  'POST /v1/users/{userId}/diary/scan': [t.CreateDiaryEntriesFromScanData, t.CreateDiaryEntriesFromScanResponse, 'required'];
  'GET /v1/users/{userId}/diary/{entryId}': [t.GetDiaryEntryData, t.GetDiaryEntryResponse, 'required'];
  'PATCH /v1/users/{userId}/diary/{entryId}': [t.ChangeDiaryEntryData, t.ChangeDiaryEntryResponse, 'required'];
  'DELETE /v1/users/{userId}/diary/{entryId}': [t.DeleteDiaryEntryData, t.DeleteDiaryEntryResponse, 'required'];
  'POST /v1/users/{userId}/diary/batch/delete': [t.DeleteDiaryEntriesData, t.DeleteDiaryEntriesResponse, 'required'];
  'GET /v1/users/{userId}/diary/entries': [t.ListDiaryEntriesOfRangeData, t.ListDiaryEntriesOfRangeResponse, 'required'];
  'GET /v1/users/{userId}/diary/totals': [t.GetDiaryTotalsData, t.GetDiaryTotalsResponse, 'required'];
  'GET /v1/users/{userId}/diary/totals/days': [t.ListDailyTotalsData, t.ListDailyTotalsResponse, 'required'];
  'GET /v1/users/{userId}/diary/notes': [t.ListDiaryNotesData, t.ListDiaryNotesResponse, 'required'];
  'POST /v1/users/{userId}/diary/copy': [t.CopyDiaryDayData, t.CopyDiaryDayResponse, 'required'];
  'GET /v1/users/{userId}/diary/export': [t.ExportDiaryData, t.ExportDiaryResponse, 'required'];
  'POST /v1/users/{userId}/recipes': [t.CreateRecipeData, t.CreateRecipeResponse, 'required'];
  'GET /v1/users/{userId}/recipes': [t.ListRecipesData, t.ListRecipesResponse, 'required'];
  'GET /v1/users/{userId}/recipes/{recipeId}': [t.GetRecipeData, t.GetRecipeResponse, 'required'];
  'PATCH /v1/users/{userId}/recipes/{recipeId}': [t.ChangeRecipeData, t.ChangeRecipeResponse, 'required'];
  'DELETE /v1/users/{userId}/recipes/{recipeId}': [t.DeleteRecipeData, t.DeleteRecipeResponse, 'required'];
  'POST /v1/users/{userId}/measurements': [t.CreateMeasurementData, t.CreateMeasurementResponse, 'required'];
  'GET /v1/users/{userId}/measurements': [t.ListMeasurementsData, t.ListMeasurementsResponse, 'required'];
  'GET /v1/users/{userId}/measurements/{measurementId}': [t.GetMeasurementData, t.GetMeasurementResponse, 'required'];
  'PATCH /v1/users/{userId}/measurements/{measurementId}': [t.ChangeMeasurementData, t.ChangeMeasurementResponse, 'required'];
  'DELETE /v1/users/{userId}/measurements/{measurementId}': [t.DeleteMeasurementData, t.DeleteMeasurementResponse, 'required'];
  'GET /v1/users/{userId}/diary/days': [t.ListDiaryDaysData, t.ListDiaryDaysResponse, 'required'];
  'GET /v1/users/{userId}/diary/days/{date}': [t.GetDiaryDayData, t.GetDiaryDayResponse, 'required'];
  'PUT /v1/users/{userId}/diary/days/{date}': [t.PutDiaryDayData, t.PutDiaryDayResponse, 'required'];
  'PATCH /v1/users/{userId}/diary/days/{date}': [t.ChangeDiaryDayData, t.ChangeDiaryDayResponse, 'required'];
  'POST /v1/users/{userId}/meals': [t.CreateSavedMealData, t.CreateSavedMealResponse, 'required'];
  'GET /v1/users/{userId}/meals': [t.ListSavedMealsData, t.ListSavedMealsResponse, 'required'];
  'GET /v1/users/{userId}/meals/{mealId}': [t.GetSavedMealData, t.GetSavedMealResponse, 'required'];
  'PATCH /v1/users/{userId}/meals/{mealId}': [t.ChangeSavedMealData, t.ChangeSavedMealResponse, 'required'];
  'DELETE /v1/users/{userId}/meals/{mealId}': [t.DeleteSavedMealData, t.DeleteSavedMealResponse, 'required'];
  'POST /v1/users/{userId}/favourites': [t.CreateFavouriteData, t.CreateFavouriteResponse, 'required'];
  'GET /v1/users/{userId}/favourites': [t.ListFavouritesData, t.ListFavouritesResponse, 'required'];
  'GET /v1/users/{userId}/favourites/{favouriteId}': [t.GetFavouriteData, t.GetFavouriteResponse, 'required'];
  'PATCH /v1/users/{userId}/favourites/{favouriteId}': [t.ChangeFavouriteData, t.ChangeFavouriteResponse, 'required'];
  'DELETE /v1/users/{userId}/favourites/{favouriteId}': [t.DeleteFavouriteData, t.DeleteFavouriteResponse, 'required'];
  'GET /v1/users/{userId}/settings': [t.GetUserSettingsData, t.GetUserSettingsResponse, 'required'];
  'PUT /v1/users/{userId}/settings': [t.PutUserSettingsData, t.PutUserSettingsResponse, 'required'];
  'PATCH /v1/users/{userId}/settings': [t.ChangeUserSettingsData, t.ChangeUserSettingsResponse, 'required'];
  'POST /v1/users/{userId}/meals/{mealId}/log': [t.LogSavedMealData, t.LogSavedMealResponse, 'required'];
  'GET /v1/users/{userId}/goals': [t.GetGoalsData, t.GetGoalsResponse, 'required'];
  'PUT /v1/users/{userId}/goals': [t.PutGoalsData, t.PutGoalsResponse, 'required'];
  'PATCH /v1/users/{userId}/goals': [t.ChangeGoalsData, t.ChangeGoalsResponse, 'required'];
  'DELETE /v1/users/{userId}/goals': [t.DeleteGoalsData, t.DeleteGoalsResponse, 'required'];
  'GET /v1/users/{userId}/foods/recent': [t.ListRecentFoodsData, t.ListRecentFoodsResponse, 'required'];
  'GET /v1/users/{userId}/foods/frequent': [t.ListFrequentFoodsData, t.ListFrequentFoodsResponse, 'required'];
  'GET /v1/users/{userId}/changes': [t.GetChangesData, t.GetChangesResponse, 'required'];
  'GET /v1/users/{userId}/changes/stream': [t.StreamChangesData, t.StreamChangesResponse, 'required'];
  'POST /v1/users/{userId}/changes/ticket': [t.CreateChangesTicketData, t.CreateChangesTicketResponse, 'required'];
  'GET /v1/users/{userId}/changes/stream/by-ticket': [t.FollowChangesData, t.FollowChangesResponse, 'required'];
  'GET /v1/users/{userId}/export': [t.ExportUserData, t.ExportUserResponse, 'required'];
  'POST /v1/users/{userId}/import': [t.ImportUserData, t.ImportUserResponse, 'required'];
  'DELETE /v1/users/{userId}': [t.EraseUserData, t.EraseUserResponse, 'required'];
  'POST /v1/auth/token': [t.CreateTokenData, t.CreateTokenResponse, 'required'];
  'GET /.well-known/jwks.json': [t.GetTokenKeysData, t.GetTokenKeysResponse, 'optional'];
  'GET /v1/keys': [t.ListKeysData, t.ListKeysResponse, 'optional'];
  'POST /v1/keys': [t.CreateKeyData, t.CreateKeyResponse, 'required'];
  'GET /v1/keys/{keyId}': [t.GetKeyData, t.GetKeyResponse, 'required'];
  'PATCH /v1/keys/{keyId}': [t.ChangeKeyData, t.ChangeKeyResponse, 'required'];
  'DELETE /v1/keys/{keyId}': [t.RevokeKeyData, t.RevokeKeyResponse, 'required'];
  'POST /v1/keys/{keyId}/rotate': [t.RotateKeyData, t.RotateKeyResponse, 'required'];
  'GET /v1/users': [t.ListUsersData, t.ListUsersResponse, 'optional'];
  'POST /v1/people': [t.CreatePersonData, t.CreatePersonResponse, 'required'];
  'GET /v1/people': [t.ListPeopleData, t.ListPeopleResponse, 'optional'];
  'PATCH /v1/people/me': [t.ChangePersonData, t.ChangePersonResponse, 'required'];
  'PUT /v1/people/me/password': [t.ChangePasswordData, t.ChangePasswordResponse, 'required'];
  'DELETE /v1/people/me/password': [t.RemovePasswordData, t.RemovePasswordResponse, 'optional'];
  'POST /v1/people/{personId}/password-link': [t.CreatePasswordLinkData, t.CreatePasswordLinkResponse, 'required'];
  'POST /v1/people/password': [t.ResetPasswordData, t.ResetPasswordResponse, 'required'];
  'DELETE /v1/people/me/password/reset': [t.NotePasswordResetData, t.NotePasswordResetResponse, 'optional'];
  'GET /v1/people/me/sharing': [t.GetSharingData, t.GetSharingResponse, 'optional'];
  'PUT /v1/people/me/sharing': [t.PutSharingData, t.PutSharingResponse, 'required'];
  'DELETE /v1/people/{personId}': [t.DeletePersonData, t.DeletePersonResponse, 'required'];
  'PATCH /v1/people/{personId}': [t.ChangeRoleData, t.ChangeRoleResponse, 'required'];
  'POST /v1/people/me/keys': [t.CreateOwnKeyData, t.CreateOwnKeyResponse, 'required'];
  'GET /v1/people/me/keys': [t.ListOwnKeysData, t.ListOwnKeysResponse, 'optional'];
  'DELETE /v1/people/me/keys/{ownKeyId}': [t.RevokeOwnKeyData, t.RevokeOwnKeyResponse, 'required'];
  'GET /v1/session/methods': [t.GetSignInMethodsData, t.GetSignInMethodsResponse, 'optional'];
  'POST /v1/session/openid': [t.JoinByOpenIdData, t.JoinByOpenIdResponse, 'required'];
  'POST /v1/people/me/identities': [t.LinkOpenIdData, t.LinkOpenIdResponse, 'optional'];
  'GET /v1/people/me/identities': [t.ListIdentitiesData, t.ListIdentitiesResponse, 'optional'];
  'POST /v1/session/confirm/openid': [t.ConfirmByOpenIdData, t.ConfirmByOpenIdResponse, 'optional'];
  'DELETE /v1/people/me/identities/{identityId}': [t.RemoveIdentityData, t.RemoveIdentityResponse, 'required'];
  'POST /v1/session/passkey/options': [t.ChallengePasskeyData, t.ChallengePasskeyResponse, 'optional'];
  'POST /v1/session/passkey': [t.SignInByPasskeyData, t.SignInByPasskeyResponse, 'required'];
  'POST /v1/session/confirm/passkey': [t.ConfirmByPasskeyData, t.ConfirmByPasskeyResponse, 'required'];
  'GET /v1/people/me/passkeys': [t.ListPasskeysData, t.ListPasskeysResponse, 'optional'];
  'POST /v1/people/me/passkeys': [t.AddPasskeyData, t.AddPasskeyResponse, 'required'];
  'PATCH /v1/people/me/passkeys': [t.RequirePasskeyData, t.RequirePasskeyResponse, 'required'];
  'POST /v1/people/me/passkeys/options': [t.PreparePasskeyData, t.PreparePasskeyResponse, 'optional'];
  'DELETE /v1/people/me/passkeys/{passkeyId}': [t.RemovePasskeyData, t.RemovePasskeyResponse, 'required'];
  'POST /v1/people/me/recovery-codes': [t.CreateRecoveryCodesData, t.CreateRecoveryCodesResponse, 'optional'];
  'POST /v1/session': [t.CreateSessionData, t.CreateSessionResponse, 'required'];
  'GET /v1/session': [t.GetSessionData, t.GetSessionResponse, 'optional'];
  'DELETE /v1/session': [t.DeleteSessionData, t.DeleteSessionResponse, 'optional'];
  'POST /v1/session/confirm': [t.ConfirmSessionData, t.ConfirmSessionResponse, 'required'];
  'GET /v1/sessions': [t.ListSessionsData, t.ListSessionsResponse, 'optional'];
  'DELETE /v1/sessions/{sessionId}': [t.EndSessionData, t.EndSessionResponse, 'required'];
  'POST /v1/invitations': [t.CreateInvitationData, t.CreateInvitationResponse, 'optional'];
  'GET /v1/invitations': [t.ListInvitationsData, t.ListInvitationsResponse, 'optional'];
  'DELETE /v1/invitations/{invitationId}': [t.DeleteInvitationData, t.DeleteInvitationResponse, 'required'];
  'GET /v1/people/{personId}/credentials': [t.ListPersonCredentialsData, t.ListPersonCredentialsResponse, 'required'];
  'POST /v1/scan/image': [t.CreateScanData, t.CreateScanResponse, 'required'];
  'GET /v1/scan/image/{jobId}': [t.GetScanData, t.GetScanResponse, 'required'];
  'DELETE /v1/scan/image/{jobId}': [t.DeleteScanData, t.DeleteScanResponse, 'required'];
  'GET /v1/scan/image/{jobId}/stream': [t.StreamScanData, t.StreamScanResponse, 'required'];
  'GET /v1/scan/image/{jobId}/stream/by-ticket': [t.FollowScanData, t.FollowScanResponse, 'required'];
  'POST /v1/webhooks': [t.CreateWebhookData, t.CreateWebhookResponse, 'required'];
  'GET /v1/webhooks': [t.ListWebhooksData, t.ListWebhooksResponse, 'optional'];
  'GET /v1/webhooks/{webhookId}': [t.GetWebhookData, t.GetWebhookResponse, 'required'];
  'PATCH /v1/webhooks/{webhookId}': [t.ChangeWebhookData, t.ChangeWebhookResponse, 'required'];
  'DELETE /v1/webhooks/{webhookId}': [t.DeleteWebhookData, t.DeleteWebhookResponse, 'required'];
  'POST /v1/webhooks/{webhookId}/rotate': [t.RotateWebhookData, t.RotateWebhookResponse, 'required'];
  'POST /v1/webhooks/{webhookId}/test': [t.TestWebhookData, t.TestWebhookResponse, 'required'];
  'GET /v1/webhooks/{webhookId}/deliveries': [t.ListDeliveriesData, t.ListDeliveriesResponse, 'required'];
  'POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver': [t.RedeliverData, t.RedeliverResponse, 'required'];
  'GET /v1/operator/status': [t.GetOperatorStatusData, t.GetOperatorStatusResponse, 'optional'];
  'GET /v1/operator/scans': [t.GetScanQueueData, t.GetScanQueueResponse, 'optional'];
  'GET /v1/operator/webhooks': [t.ListAllWebhooksData, t.ListAllWebhooksResponse, 'optional'];
  'GET /v1/operator/sessions': [t.ListAllSessionsData, t.ListAllSessionsResponse, 'optional'];
  'GET /v1/operator/events': [t.ListEventsData, t.ListEventsResponse, 'optional'];
  'DELETE /v1/operator/sessions/{sessionId}': [t.EndAnySessionData, t.EndAnySessionResponse, 'required'];
  'GET /v1/operator/backup': [t.DownloadBackupData, t.DownloadBackupResponse, 'optional'];
  'GET /v1/operator/catalogues': [t.ListCataloguesData, t.ListCataloguesResponse, 'optional'];
  'POST /v1/operator/catalogues/{catalogueId}/activate': [t.ActivateCatalogueData, t.ActivateCatalogueResponse, 'required'];
  'POST /v1/operator/imports': [t.StartImportData, t.StartImportResponse, 'required'];
  'GET /v1/operator/imports': [t.ListImportsData, t.ListImportsResponse, 'optional'];
  'GET /v1/operator/imports/{importId}': [t.GetImportData, t.GetImportResponse, 'required'];
  'DELETE /v1/operator/imports/{importId}': [t.CancelImportData, t.CancelImportResponse, 'required'];
  'PUT /v1/operator/imports/{importId}/file': [t.SendImportFileData, t.SendImportFileResponse, 'required'];
  'GET /v1/operator/imports/{importId}/stream': [t.StreamImportData, t.StreamImportResponse, 'required'];
  'GET /': [t.GetFrontPageData, t.GetFrontPageResponse, 'optional'];
  'GET /healthz': [t.GetHealthData, t.GetHealthResponse, 'optional'];
  'GET /readyz': [t.GetReadinessData, t.GetReadinessResponse, 'optional'];
  'GET /metrics': [t.GetMetricsData, t.GetMetricsResponse, 'optional'];
  'GET /foods/search': [t.UnversionedSearchFoodsData, t.UnversionedSearchFoodsResponse, 'optional'];
  'POST /foods/parse': [t.UnversionedParseTextData, t.UnversionedParseTextResponse, 'required'];
  'GET /foods/barcode/{upc}': [t.UnversionedGetFoodByBarcodeData, t.UnversionedGetFoodByBarcodeResponse, 'required'];
  'GET /foods/barcode': [t.UnversionedGetFoodByCodeData, t.UnversionedGetFoodByCodeResponse, 'required'];
  'GET /foods': [t.UnversionedListFoodsData, t.UnversionedListFoodsResponse, 'optional'];
  'POST /scan/image': [t.UnversionedCreateScanData, t.UnversionedCreateScanResponse, 'required'];
  'GET /scan/image/{jobId}': [t.UnversionedGetScanData, t.UnversionedGetScanResponse, 'required'];
}

export interface FoodsMethods {
  /** List custom foods. */
  list(query?: NonNullable<t.ListFoodsData['query']>, options?: CallOptions): List<t.ListFoodsResponse[number]>;
  /** Get a food by id. */
  get(id: string, options?: CallOptions): Promise<t.GetFoodResponse>;
  /** Change a custom food. */
  change(id: string, input: t.ChangeFoodData['body'], options?: ChangeOptions): Promise<t.ChangeFoodResponse>;
  /** Delete a custom food. */
  remove(id: string, options?: ChangeOptions): Promise<t.DeleteFoodResponse>;
  /** Create a custom food. */
  add(input: t.CreateFoodData['body'], options?: CreateOptions): Promise<t.CreateFoodResponse>;
  /** Search foods by text. */
  search(query?: NonNullable<t.SearchFoodsData['query']>, options?: CallOptions): List<t.SearchFoodsResponse[number]>;
  /** Read foods and amounts in text. */
  parse(input: t.ParseTextData['body'], options?: CallOptions): Promise<t.ParseTextResponse>;
}

export const FoodsMethods: ResourceClass<FoodsMethods> = /* @__PURE__ */ resource('/v1/foods', {
  list: 'GET list query',
  get: 'GET /{}',
  change: 'PATCH body /{}',
  remove: 'DELETE /{}',
  add: 'POST body',
  search: 'GET list offset query /search',
  parse: 'POST body /parse',
});

export interface RecipesMethods {
  /** List recipes. */
  list(query?: NonNullable<t.ListRecipesData['query']>, options?: CallOptions): List<t.ListRecipesResponse[number]>;
  /** Read a recipe. */
  get(recipeId: string, options?: CallOptions): Promise<t.GetRecipeResponse>;
  /** Change a recipe. */
  change(recipeId: string, input: t.ChangeRecipeData['body'], options?: ChangeOptions): Promise<t.ChangeRecipeResponse>;
  /** Delete a recipe. */
  remove(recipeId: string, options?: ChangeOptions): Promise<t.DeleteRecipeResponse>;
}

export const RecipesMethods: ResourceClass<RecipesMethods> = /* @__PURE__ */ resource('/v1/users/{}/recipes', {
  list: 'GET list query',
  get: 'GET /{}',
  change: 'PATCH body /{}',
  remove: 'DELETE /{}',
});

/** Measurements of a user, such as the weight. */
export interface Measurements {
  /** List measurements. */
  list(query?: NonNullable<t.ListMeasurementsData['query']>, options?: CallOptions): List<t.ListMeasurementsResponse[number]>;
  /** Read a measurement. */
  get(measurementId: string, options?: CallOptions): Promise<t.GetMeasurementResponse>;
  /** Change a measurement. */
  change(measurementId: string, input: t.ChangeMeasurementData['body'], options?: ChangeOptions): Promise<t.ChangeMeasurementResponse>;
  /** Delete a measurement. */
  remove(measurementId: string, options?: ChangeOptions): Promise<t.DeleteMeasurementResponse>;
  /** Add a measurement. */
  add(input: t.CreateMeasurementData['body'], options?: CreateOptions): Promise<t.CreateMeasurementResponse>;
}

export const Measurements: ResourceClass<Measurements> = /* @__PURE__ */ resource('/v1/users/{}/measurements', {
  list: 'GET list query',
  get: 'GET /{}',
  change: 'PATCH body /{}',
  remove: 'DELETE /{}',
  add: 'POST body',
});

/** Notes on days, and whether they are complete. Each day is there; version 0 is one that nobody has written. */
export interface Days {
  /** List notes on days. */
  list(query?: NonNullable<t.ListDiaryDaysData['query']>, options?: CallOptions): List<t.ListDiaryDaysResponse[number]>;
  /** Read what was noted about a day. */
  get(date: string, options?: CallOptions): Promise<t.GetDiaryDayResponse>;
  /** Change what was noted about a day. */
  change(date: string, input: t.ChangeDiaryDayData['body'], options?: ChangeOptions): Promise<t.ChangeDiaryDayResponse>;
  /** Replace what was noted about a day. */
  set(date: string, input: t.PutDiaryDayData['body'], options?: ChangeOptions): Promise<t.PutDiaryDayResponse>;
}

export const Days: ResourceClass<Days> = /* @__PURE__ */ resource('/v1/users/{}/diary/days', {
  list: 'GET list query',
  get: 'GET /{}',
  change: 'PATCH body /{}',
  set: 'PUT body /{}',
});

/** Foods that are logged together. */
export interface SavedMeals {
  /** List saved meals. */
  list(query?: NonNullable<t.ListSavedMealsData['query']>, options?: CallOptions): List<t.ListSavedMealsResponse[number]>;
  /** Read saved meal. */
  get(mealId: string, options?: CallOptions): Promise<t.GetSavedMealResponse>;
  /** Change saved meal. */
  change(mealId: string, input: t.ChangeSavedMealData['body'], options?: ChangeOptions): Promise<t.ChangeSavedMealResponse>;
  /** Delete saved meal. */
  remove(mealId: string, options?: ChangeOptions): Promise<t.DeleteSavedMealResponse>;
  /** Add saved meal. */
  add(input: t.CreateSavedMealData['body'], options?: CreateOptions): Promise<t.CreateSavedMealResponse>;
  /** Log a saved meal. */
  log(mealId: string, input: t.LogSavedMealData['body'], options?: CreateOptions): Promise<t.LogSavedMealResponse>;
}

export const SavedMeals: ResourceClass<SavedMeals> = /* @__PURE__ */ resource('/v1/users/{}/meals', {
  list: 'GET list query',
  get: 'GET /{}',
  change: 'PATCH body /{}',
  remove: 'DELETE /{}',
  add: 'POST body',
  log: 'POST body /{}/log',
});

/** Foods, recipes and saved meals that are offered first. */
export interface Favourites {
  /** List favourites. */
  list(query?: NonNullable<t.ListFavouritesData['query']>, options?: CallOptions): List<t.ListFavouritesResponse[number]>;
  /** Read favourite. */
  get(favouriteId: string, options?: CallOptions): Promise<t.GetFavouriteResponse>;
  /** Change favourite. */
  change(favouriteId: string, input: t.ChangeFavouriteData['body'], options?: ChangeOptions): Promise<t.ChangeFavouriteResponse>;
  /** Delete favourite. */
  remove(favouriteId: string, options?: ChangeOptions): Promise<t.DeleteFavouriteResponse>;
  /** Add favourite. */
  add(input: t.CreateFavouriteData['body'], options?: CreateOptions): Promise<t.CreateFavouriteResponse>;
}

export const Favourites: ResourceClass<Favourites> = /* @__PURE__ */ resource('/v1/users/{}/favourites', {
  list: 'GET list query',
  get: 'GET /{}',
  change: 'PATCH body /{}',
  remove: 'DELETE /{}',
  add: 'POST body',
});

/** The API keys of a tenant; needs the scope `admin`. */
export interface Keys {
  /** List keys in the order of their creation. */
  list(query?: NonNullable<t.ListKeysData['query']>, options?: CallOptions): List<t.ListKeysResponse[number]>;
  /** Read a key. */
  get(keyId: string, options?: CallOptions): Promise<t.GetKeyResponse>;
  /** Change the limits of a key; they apply within a second. */
  change(keyId: string, input: t.ChangeKeyData['body'], options?: CallOptions): Promise<t.ChangeKeyResponse>;
  /** Create a key. */
  create(input: t.CreateKeyData['body'], options?: CreateOptions): Promise<t.CreateKeyResponse>;
  /** Revoke a key; it and its tokens are refused within a second. */
  revoke(keyId: string, options?: CallOptions): Promise<t.RevokeKeyResponse>;
  /** Replace a key by a new one, and revoke the old one at once or after an overlap. */
  rotate(keyId: string, input?: t.RotateKeyData['body'], options?: CreateOptions): Promise<t.RotateKeyResponse>;
}

export const Keys: ResourceClass<Keys> = /* @__PURE__ */ resource('/v1/keys', {
  list: 'GET list query',
  get: 'GET /{}',
  change: 'PATCH body /{}',
  create: 'POST body',
  revoke: 'DELETE /{}',
  rotate: 'POST body once /{}/rotate',
});

/** The webhooks of a tenant; needs the scope `webhooks`. */
export interface Webhooks {
  /** List webhooks in the order of their creation. */
  list(query?: NonNullable<t.ListWebhooksData['query']>, options?: CallOptions): List<t.ListWebhooksResponse[number]>;
  /** Read a webhook. */
  get(webhookId: string, options?: CallOptions): Promise<t.GetWebhookResponse>;
  /** Change a webhook, disable it, or enable it again, such as one that was given up. */
  change(webhookId: string, input: t.ChangeWebhookData['body'], options?: CallOptions): Promise<t.ChangeWebhookResponse>;
  /** Delete a webhook with its deliveries. */
  remove(webhookId: string, options?: CallOptions): Promise<t.DeleteWebhookResponse>;
  /** Create a webhook. */
  create(input: t.CreateWebhookData['body'], options?: CreateOptions): Promise<t.CreateWebhookResponse>;
  /** Give a webhook another secret. */
  rotate(webhookId: string, options?: CreateOptions): Promise<t.RotateWebhookResponse>;
  /** Send a delivery of the type webhook.test. */
  test(webhookId: string, options?: CreateOptions): Promise<t.TestWebhookResponse>;
  /** List the deliveries of a webhook, newest first. */
  deliveries(webhookId: string, query?: NonNullable<t.ListDeliveriesData['query']>, options?: CallOptions): List<t.ListDeliveriesResponse[number]>;
  /** Send a delivery again. */
  redeliver(webhookId: string, deliveryId: string, options?: CreateOptions): Promise<t.RedeliverResponse>;
}

export const Webhooks: ResourceClass<Webhooks> = /* @__PURE__ */ resource('/v1/webhooks', {
  list: 'GET list query',
  get: 'GET /{}',
  change: 'PATCH body /{}',
  remove: 'DELETE /{}',
  create: 'POST body',
  rotate: 'POST /{}/rotate',
  test: 'POST /{}/test',
  deliveries: 'GET list query /{}/deliveries',
  redeliver: 'POST /{}/deliveries/{}/redeliver',
});

export interface UnversionedMethods {
  /** List custom foods. */
  list(query?: NonNullable<t.UnversionedListFoodsData['query']>, options?: CallOptions): List<t.UnversionedListFoodsResponse[number]>;
  /** Search foods by text. */
  search(query?: NonNullable<t.UnversionedSearchFoodsData['query']>, options?: CallOptions): List<t.UnversionedSearchFoodsResponse[number]>;
  /** Read foods and amounts in text. */
  parse(input: t.UnversionedParseTextData['body'], options?: CallOptions): Promise<t.UnversionedParseTextResponse>;
  /** Get the result of a scan. */
  scan(jobId: string, options?: CallOptions): Promise<t.UnversionedGetScanResponse>;
}

export const UnversionedMethods: ResourceClass<UnversionedMethods> = /* @__PURE__ */ resource('', {
  list: 'GET list query api-key /foods',
  search: 'GET list offset query api-key /foods/search',
  parse: 'POST body api-key /foods/parse',
  scan: 'GET api-key /scan/image/{}',
});

export interface DiaryMethods {
  /** Read an entry. */
  get(entryId: string, options?: CallOptions): Promise<t.GetDiaryEntryResponse>;
  /** Change an entry. */
  change(entryId: string, input: t.ChangeDiaryEntryData['body'], options?: ChangeOptions): Promise<t.ChangeDiaryEntryResponse>;
  /** Delete an entry. */
  remove(entryId: string, options?: ChangeOptions): Promise<t.DeleteDiaryEntryResponse>;
  /** Change several entries. */
  changeAll(input: t.ChangeDiaryEntriesData['body'], options?: CallOptions): Promise<t.ChangeDiaryEntriesResponse>;
  /** Delete several entries. */
  removeAll(input: t.DeleteDiaryEntriesData['body'], options?: CreateOptions): Promise<t.DeleteDiaryEntriesResponse>;
  /** Search notes. */
  notes(query?: NonNullable<t.ListDiaryNotesData['query']>, options?: CallOptions): List<t.ListDiaryNotesResponse[number]>;
  /** Copy a day or a meal to another day. */
  copy(input: t.CopyDiaryDayData['body'], options?: CreateOptions): Promise<t.CopyDiaryDayResponse>;
}

export const DiaryMethods: ResourceClass<DiaryMethods> = /* @__PURE__ */ resource('/v1/users/{}/diary', {
  get: 'GET /{}',
  change: 'PATCH body /{}',
  remove: 'DELETE /{}',
  changeAll: 'PATCH body /batch',
  removeAll: 'POST body /batch/delete',
  notes: 'GET list query /notes',
  copy: 'POST body /copy',
});

/** The settings of a user, which all devices share; version 0 before the first change. */
export interface Settings {
  /** Read settings of a user. */
  get(options?: CallOptions): Promise<t.GetUserSettingsResponse>;
  /** Change settings of a user. */
  change(input: t.ChangeUserSettingsData['body'], options?: ChangeOptions): Promise<t.ChangeUserSettingsResponse>;
  /** Replace settings of a user. */
  set(input: t.PutUserSettingsData['body'], options?: ChangeOptions): Promise<t.PutUserSettingsResponse>;
}

export const Settings: ResourceClass<Settings> = /* @__PURE__ */ resource('/v1/users/{}/settings', {
  get: 'GET',
  change: 'PATCH body',
  set: 'PUT body',
});

/** Daily goals. */
export interface UserGoals {
  /** Read the goals of a day. */
  get(query?: NonNullable<t.GetGoalsData['query']>, options?: CallOptions): Promise<t.GetGoalsResponse>;
  /** Change single goals from a date on. */
  change(input: t.ChangeGoalsData['body'], options?: ChangeOptions): Promise<t.ChangeGoalsResponse>;
  /** Delete goals. */
  remove(query?: NonNullable<t.DeleteGoalsData['query']>, options?: ChangeOptions): Promise<t.DeleteGoalsResponse>;
  /** Set goals from a date on. */
  set(input: t.PutGoalsData['body'], options?: ChangeOptions): Promise<t.PutGoalsResponse>;
}

export const UserGoals: ResourceClass<UserGoals> = /* @__PURE__ */ resource('/v1/users/{}/goals', {
  get: 'GET query',
  change: 'PATCH body',
  remove: 'DELETE query',
  set: 'PUT body',
});

export interface ScansMethods {
  /** Get the state of a scan. */
  get(jobId: string, options?: CallOptions): Promise<t.GetScanResponse>;
  /** Delete a scan. */
  remove(jobId: string, options?: CallOptions): Promise<t.DeleteScanResponse>;
}

export const ScansMethods: ResourceClass<ScansMethods> = /* @__PURE__ */ resource('/v1/scan/image', {
  get: 'GET /{}',
  remove: 'DELETE /{}',
});

export interface FactsMethods {
  /** Get the facts of a food. */
  of(id: string, options?: CallOptions): Promise<t.GetFoodFactsResponse>;
  /** List nutrients and reference values. */
  nutrients(query?: NonNullable<t.ListNutrientsData['query']>, options?: CallOptions): List<t.ListNutrientsResponse[number]>;
}

export const FactsMethods: ResourceClass<FactsMethods> = /* @__PURE__ */ resource('', {
  of: 'GET /v1/foods/{}/facts',
  nutrients: 'GET list query /v1/nutrients',
});

/** Foods that the user ate. */
export interface EatenFoods {
  /** Foods eaten last. */
  recent(query?: NonNullable<t.ListRecentFoodsData['query']>, options?: CallOptions): List<t.ListRecentFoodsResponse[number]>;
  /** Foods eaten most often. */
  frequent(query?: NonNullable<t.ListFrequentFoodsData['query']>, options?: CallOptions): List<t.ListFrequentFoodsResponse[number]>;
}

export const EatenFoods: ResourceClass<EatenFoods> = /* @__PURE__ */ resource('/v1/users/{}/foods', {
  recent: 'GET list offset query /recent',
  frequent: 'GET list offset query /frequent',
});

export interface UserMethods {
  /** Export everything of a user. */
  export(options?: CallOptions): Promise<t.ExportUserResponse>;
  /** Erase all data of a user. */
  erase(options?: CallOptions): Promise<t.EraseUserResponse>;
}

export const UserMethods: ResourceClass<UserMethods> = /* @__PURE__ */ resource('/v1/users/{}', {
  export: 'GET text /export',
  erase: 'DELETE',
});

export interface TokensMethods {
  /** Public keys that verify access tokens (JSON Web Key Set). */
  publicKeys(options?: CallOptions): Promise<t.GetTokenKeysResponse>;
}

export const TokensMethods: ResourceClass<TokensMethods> = /* @__PURE__ */ resource('', {
  publicKeys: 'GET nobody /.well-known/jwks.json',
});

/** The service itself. */
export interface Service {
  /** Check whether the process is alive. */
  health(options?: CallOptions): Promise<t.GetHealthResponse>;
  /** Check whether the service can answer requests. */
  readiness(query?: NonNullable<t.GetReadinessData['query']>, options?: CallOptions): Promise<t.GetReadinessResponse>;
  /** Metrics in the Prometheus text format. */
  metrics(options?: CallOptions): Promise<t.GetMetricsResponse>;
}

export const Service: ResourceClass<Service> = /* @__PURE__ */ resource('', {
  health: 'GET nobody /healthz',
  readiness: 'GET query nobody /readyz',
  metrics: 'GET text /metrics',
});
