import { adyenPayments } from './catalog/adyen-payments.ts';
import { adyenPlatform } from './catalog/adyen-platform.ts';
import { airtable } from './catalog/airtable.ts';
import { alertmanager } from './catalog/alertmanager.ts';
import { asana } from './catalog/asana.ts';
import { auth0 } from './catalog/auth0.ts';
import { awsSns } from './catalog/aws-sns.ts';
import { betterStack } from './catalog/better-stack.ts';
import { bitbucket } from './catalog/bitbucket.ts';
import { calcom } from './catalog/calcom.ts';
import { calendly } from './catalog/calendly.ts';
import { chargebee } from './catalog/chargebee.ts';
import { clerk } from './catalog/clerk.ts';
import { cloudeventsAbuseProtection } from './catalog/cloudevents-abuse-protection.ts';
import { coinbaseCommerce } from './catalog/coinbase-commerce.ts';
import { discordInteractions } from './catalog/discord-interactions.ts';
import { discordWebhookEvents } from './catalog/discord-webhook-events.ts';
import { dropbox } from './catalog/dropbox.ts';
import { flutterwave } from './catalog/flutterwave.ts';
import { formspree } from './catalog/formspree.ts';
import { generic } from './catalog/generic.ts';
import { github } from './catalog/github.ts';
import { gitlab } from './catalog/gitlab.ts';
import { gitlabSigningToken } from './catalog/gitlab-signing-token.ts';
import { googleFormsAppsScript } from './catalog/google-forms-apps-script.ts';
import { grafana } from './catalog/grafana.ts';
import { hubspotV1 } from './catalog/hubspot-v1.ts';
import { hubspotV3 } from './catalog/hubspot-v3.ts';
import { intercom } from './catalog/intercom.ts';
import { jotform } from './catalog/jotform.ts';
import { lemonsqueezy } from './catalog/lemonsqueezy.ts';
import { linear } from './catalog/linear.ts';
import { mailgun } from './catalog/mailgun.ts';
import { mercadopago } from './catalog/mercadopago.ts';
import { metaWhatsapp } from './catalog/meta-whatsapp.ts';
import { microsoftGraph } from './catalog/microsoft-graph.ts';
import { microsoftTeamsOutgoing } from './catalog/microsoft-teams-outgoing.ts';
import { mollieLegacy } from './catalog/mollie-legacy.ts';
import { mollieNextGen } from './catalog/mollie-next-gen.ts';
import { monday } from './catalog/monday.ts';
import { netlify } from './catalog/netlify.ts';
import { notion } from './catalog/notion.ts';
import { okta } from './catalog/okta.ts';
import { paddle } from './catalog/paddle.ts';
import { pagerduty } from './catalog/pagerduty.ts';
import { paypal } from './catalog/paypal.ts';
import { paystack } from './catalog/paystack.ts';
import { pingdom } from './catalog/pingdom.ts';
import { postmark } from './catalog/postmark.ts';
import { razorpay } from './catalog/razorpay.ts';
import { resend } from './catalog/resend.ts';
import { sendgrid } from './catalog/sendgrid.ts';
import { sentry } from './catalog/sentry.ts';
import { shopify } from './catalog/shopify.ts';
import { slack } from './catalog/slack.ts';
import { square } from './catalog/square.ts';
import { standardWebhooks } from './catalog/standard-webhooks.ts';
import { standardWebhooksEd25519 } from './catalog/standard-webhooks-ed25519.ts';
import { stripe } from './catalog/stripe.ts';
import { supabaseAuthHooks } from './catalog/supabase-auth-hooks.ts';
import { supabaseDbWebhooks } from './catalog/supabase-db-webhooks.ts';
import { svix } from './catalog/svix.ts';
import { tally } from './catalog/tally.ts';
import { trello } from './catalog/trello.ts';
import { twilio } from './catalog/twilio.ts';
import { typeform } from './catalog/typeform.ts';
import { uptimeKuma } from './catalog/uptime-kuma.ts';
import { uptimerobot } from './catalog/uptimerobot.ts';
import { vercel } from './catalog/vercel.ts';
import { webflow } from './catalog/webflow.ts';
import { woocommerce } from './catalog/woocommerce.ts';
import { x } from './catalog/x.ts';
import { xendit } from './catalog/xendit.ts';
import { zendesk } from './catalog/zendesk.ts';
import { zoom } from './catalog/zoom.ts';
import type { Provider } from './provider.ts';

/** Every provider by its id, in the order in which lists show them. A map, so that `constructor` is no provider. */
export const providers: ReadonlyMap<string, Provider> = new Map(
  [
    stripe,
    github,
    standardWebhooks,
    shopify,
    typeform,
    slack,
    alertmanager,
    grafana,
    paddle,
    lemonsqueezy,
    razorpay,
    adyenPayments,
    adyenPlatform,
    mollieNextGen,
    mollieLegacy,
    paypal,
    paystack,
    flutterwave,
    xendit,
    mercadopago,
    coinbaseCommerce,
    chargebee,
    square,
    woocommerce,
    tally,
    jotform,
    calendly,
    calcom,
    googleFormsAppsScript,
    formspree,
    netlify,
    webflow,
    discordInteractions,
    discordWebhookEvents,
    twilio,
    zoom,
    metaWhatsapp,
    microsoftTeamsOutgoing,
    x,
    resend,
    mailgun,
    sendgrid,
    postmark,
    hubspotV3,
    hubspotV1,
    intercom,
    zendesk,
    trello,
    asana,
    monday,
    notion,
    airtable,
    gitlabSigningToken,
    gitlab,
    bitbucket,
    sentry,
    linear,
    vercel,
    dropbox,
    supabaseDbWebhooks,
    pagerduty,
    uptimeKuma,
    betterStack,
    uptimerobot,
    pingdom,
    standardWebhooksEd25519,
    svix,
    clerk,
    supabaseAuthHooks,
    microsoftGraph,
    okta,
    auth0,
    awsSns,
    cloudeventsAbuseProtection,
    generic,
  ].map((provider) => [provider.id, provider]),
);
