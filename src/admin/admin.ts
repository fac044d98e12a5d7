import { accountRoutes } from './accounts.ts';
import { apiOf } from './api/serve.ts';
import type { ApiRoutes } from './api/route.ts';
import { configRoutes, documentRoutes } from './config/config.ts';
import { onCallRoutes } from './config/on-call.ts';
import { pairRoutes } from './config/pair.ts';
import { providerRoutes } from './config/providers.ts';
import { silenceRoutes } from './config/silences.ts';
import { doctorRoutes } from './doctor/doctor.ts';
import { messageRoutes } from './messages/messages.ts';
import { findNumberRoutes } from './messages/find-number.ts';
import { eventRoutes } from './messages/events.ts';
import { incidentRoutes } from './messages/incidents.ts';
import { replayRoutes } from './messages/replay.ts';
import { statsRoutes } from './stats.ts';
import { openapiRoutes } from './console.ts';
import { previewRoutes } from './preview/preview.ts';
import { rejectionRoutes } from './rejections.ts';
import { sessionRoutes } from './sessions.ts';
import { suppressionRoutes } from './suppressions.ts';
import { tailRoutes } from './tail.ts';

/** Every route of the admin API, by its operation's id. No two match the same request, so their order does not matter. */
export const ROUTES = {
  ...accountRoutes,
  ...configRoutes,
  ...doctorRoutes,
  ...documentRoutes,
  ...eventRoutes,
  ...findNumberRoutes,
  ...incidentRoutes,
  ...messageRoutes,
  ...openapiRoutes,
  ...onCallRoutes,
  ...pairRoutes,
  ...previewRoutes,
  ...providerRoutes,
  ...rejectionRoutes,
  ...replayRoutes,
  ...sessionRoutes,
  ...silenceRoutes,
  ...statsRoutes,
  ...suppressionRoutes,
  ...tailRoutes,
} satisfies ApiRoutes;

/** `/admin/api/v1`. */
export const admin = apiOf(Object.values(ROUTES));
