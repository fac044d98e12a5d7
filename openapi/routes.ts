import { accountRoutes } from './routes/accounts.ts';
import { configRoutes } from './routes/config.ts';
import { descriptionRoutes } from './routes/description.ts';
import { documentRoutes } from './routes/documents.ts';
import { eventRoutes } from './routes/events.ts';
import { incidentRoutes } from './routes/incidents.ts';
import { messageRoutes } from './routes/messages.ts';
import { operationRoutes } from './routes/operations.ts';
import { providerRoutes } from './routes/providers.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { silenceRoutes } from './routes/silences.ts';
import { sourceRoutes } from './routes/sources.ts';
import type { RouteSpec } from './spec.ts';

/** Every route of the admin API. A test compares them with those of the app. */
export const ROUTES: readonly RouteSpec[] = [
  ...documentRoutes('sources'),
  ...sourceRoutes,
  ...documentRoutes('templates'),
  ...documentRoutes('recipients'),
  ...documentRoutes('accounts'),
  ...accountRoutes,
  ...silenceRoutes,
  ...configRoutes,
  ...eventRoutes,
  ...incidentRoutes,
  ...messageRoutes,
  ...providerRoutes,
  ...sessionRoutes,
  ...operationRoutes,
  ...descriptionRoutes,
];
