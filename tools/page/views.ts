import { ADD_VIEWS } from './views/add-views.ts';
import { CONSOLE_VIEWS } from './views/console-views.ts';
import { OTHER_VIEWS } from './views/other-views.ts';
import { TODAY_VIEWS } from './views/today-views.ts';
import type { PageView } from './visit.ts';

/** Every view, dialog and state of the page that a person can meet. */
export const VIEWS: readonly PageView[] = [...TODAY_VIEWS, ...ADD_VIEWS, ...OTHER_VIEWS, ...CONSOLE_VIEWS];
