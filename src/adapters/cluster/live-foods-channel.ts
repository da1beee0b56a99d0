/** Where the revision of each write to a live food is notified. */
export const LIVE_FOODS_CHANNEL = 'larder_live_foods';
