import { accountSpecs } from './routes/accounts.ts';
import { configSpecs } from './routes/config.ts';
import { descriptionSpecs } from './routes/description.ts';
import { documentSpecs } from './routes/documents.ts';
import { eventSpecs } from './routes/events.ts';
import { incidentSpecs } from './routes/incidents.ts';
import { messageSpecs } from './routes/messages.ts';
import { onCallSpecs } from './routes/on-call.ts';
import { operationSpecs } from './routes/operations.ts';
import { providerSpecs } from './routes/providers.ts';
import { sessionSpecs } from './routes/sessions.ts';
import { silenceSpecs } from './routes/silences.ts';
import { sourceSpecs } from './routes/sources.ts';
import { suppressionSpecs } from './routes/suppressions.ts';
import type { RouteSpec } from './spec.ts';

/** Every route of the admin API. A test compares them with those of the app. */
export const ROUTES: readonly RouteSpec[] = [
  ...documentSpecs('sources'),
  ...sourceSpecs,
  ...documentSpecs('templates'),
  ...documentSpecs('recipients'),
  ...onCallSpecs,
  ...documentSpecs('accounts'),
  ...accountSpecs,
  ...silenceSpecs,
  ...configSpecs,
  ...eventSpecs,
  ...incidentSpecs,
  ...messageSpecs,
  ...suppressionSpecs,
  ...providerSpecs,
  ...sessionSpecs,
  ...operationSpecs,
  ...descriptionSpecs,
];
