import { alertmanager } from './alertmanager.ts';
import { generic } from './generic.ts';
import { github } from './github.ts';
import { grafana } from './grafana.ts';
import type { Provider } from './provider.ts';
import { shopify } from './shopify.ts';
import { slack } from './slack.ts';
import { standardWebhooks } from './standard-webhooks.ts';
import { stripe } from './stripe.ts';
import { typeform } from './typeform.ts';

/** Every provider by its id, in the order in which lists show them. A map, so that `constructor` is no provider. */
export const providers: ReadonlyMap<string, Provider> = new Map(
  [stripe, github, standardWebhooks, shopify, typeform, slack, alertmanager, grafana, generic].map(
    (provider) => [provider.id, provider],
  ),
);
