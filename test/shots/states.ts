/** Every picture that is taken. */
import type { State } from "./state.ts";
import { CONSENT_STATES } from "./states-consent.ts";
import { DASHBOARD_STATES } from "./states-dashboard.ts";
import { PANEL_STATES } from "./states-panel.ts";
import { POPUP_STATES } from "./states-popup.ts";

export const STATES: readonly State[] = [...POPUP_STATES, ...CONSENT_STATES, ...DASHBOARD_STATES, ...PANEL_STATES];
