import { bookings } from './stories/bookings.ts';
import { freelancer } from './stories/freelancer.ts';
import { homeServer } from './stories/home-server.ts';
import { onCall } from './stories/on-call.ts';
import { order } from './stories/order.ts';
import { repository } from './stories/repository.ts';
import type { Story } from './story.ts';

/** A week of each recipe. */
export const STORIES: readonly Story[] = [bookings, freelancer, homeServer, onCall, order, repository];
