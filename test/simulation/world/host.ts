import type { AlertsModel } from '../model/alerts.ts';
import type { MessagesModel } from '../model/messages.ts';
import type { OwnerModel } from '../model/owner.ts';
import type { OptOuts } from '../model/opt-outs.ts';
import type { UrgentModel } from '../model/strangers.ts';
import type { Random, Simulation } from '../simulation.ts';
import type { Plan } from './plan.ts';
import type { Relay } from './relay.ts';

/** The parts of the world that all who use the relay have. */
export interface WorldHost {
  readonly simulation: Simulation;
  readonly random: Random;
  readonly plan: Plan;
  readonly relay: Relay;
  readonly messages: MessagesModel;
  readonly alerts: AlertsModel;
  readonly optOuts: OptOuts;
  readonly urgent: UrgentModel;
  /** Null: the owner has no channel. */
  readonly owner: OwnerModel | null;
}
