/** The NOTIFY channel that carries the revision of each write to a live food. */
export const LIVE_FOODS_CHANNEL = 'larder_live_foods';
