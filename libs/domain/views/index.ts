// The list of all views, which the projection feeds and queries read.
import { accountsView } from './accounts/accounts.view.ts';
import { componentAppsView, sourceAppsView } from './accounts/app-uses.view.ts';
import { componentCodeView, componentsView } from './saved/components.view.ts';
import { deletionsView } from './deletion/deletions.view.ts';
import { deliveriesView } from './delivery/deliveries.view.ts';
import { eventsView } from './events.view.ts';
import { pendingView } from './due/pending.view.ts';
import { removalsDefinition } from './deletion/removals.ts';
import { replaysView } from './delivery/replays.view.ts';
import { positionsView } from './delivery/positions.view.ts';
import { runsView } from './runs.view.ts';
import { schedulesView } from './due/schedules.view.ts';
import { sourcesView } from './sources.view.ts';
import { filteredView } from './stats/filtered.view.ts';
import { statsViews } from './stats/stats.view.ts';
import { subscriptionsView } from './subscriptions.view.ts';
import type { View } from './view.ts';
import { webhookDaysView } from './stats/webhook-days.view.ts';
import { webhookStatsView } from './stats/webhook-stats.view.ts';
import { webhooksView } from './webhooks.view.ts';
import { workspacesView } from './workspaces.view.ts';

export const views: readonly View[] = [
  workspacesView,
  webhooksView,
  subscriptionsView,
  sourcesView,
  componentsView,
  componentCodeView,
  accountsView,
  sourceAppsView,
  componentAppsView,
  schedulesView,
  eventsView,
  deletionsView,
  pendingView,
  runsView,
  deliveriesView,
  replaysView,
  positionsView,
  ...statsViews,
  webhookStatsView,
  webhookDaysView,
  filteredView,
];

export const viewDefinitions = [...views.map(({ definition }) => definition), removalsDefinition];

export { programOfView } from './saved/components.view.ts';
export type { AccountView } from './accounts/accounts.view.ts';
export type { AppUseView } from './accounts/app-uses.view.ts';
export type { ComponentCodeView, ComponentView } from './saved/components.view.ts';
export type { DeletionView } from './deletion/deletions.view.ts';
export { deliveryStates } from './delivery/deliveries.view.ts';
export type { AttemptView, DeliveryState, DeliveryView } from './delivery/deliveries.view.ts';
export { eventOrder } from '../channel/event-id.ts';
export { eventKey, orderOfTime, type EventView } from './events.view.ts';
export type { PendingView } from './due/pending.view.ts';
export { immediateRemovalMax, notedViews, removalsMax, removalsView, type RemovalView } from './deletion/removals.ts';
export type { ReplayView } from './delivery/replays.view.ts';
export type { PositionCounters, PositionView } from './delivery/positions.view.ts';
export type { RunView } from './runs.view.ts';
export type { ScheduleView } from './due/schedules.view.ts';
export type { SourceRefused, SourceState, SourceView } from './sources.view.ts';
export { tripleText, type SubscriptionView } from './subscriptions.view.ts';
export type { FilteredView } from './stats/filtered.view.ts';
export { addTo, statsViews } from './stats/stats.view.ts';
export type { CountSum, MinuteCounts, StatsView } from './stats/stats.view.ts';
export { dayMs, type WebhookDaysView } from './stats/webhook-days.view.ts';
export type { View } from './view.ts';
export type { WebhookView } from './webhooks.view.ts';
export type { WorkspaceView } from './workspaces.view.ts';
