import { acuity } from './acuity.ts';
import { adyenPayments } from './adyen-payments.ts';
import { adyenPlatform } from './adyen-platform.ts';
import { airtable } from './airtable.ts';
import { alertmanager } from './alertmanager.ts';
import { asana } from './asana.ts';
import { auth0 } from './auth0.ts';
import { awsSns } from './aws-sns.ts';
import { azureEventGrid } from './azure-event-grid.ts';
import { betterStack } from './better-stack.ts';
import { bitbucket } from './bitbucket.ts';
import { brevo } from './brevo.ts';
import { buildkite } from './buildkite.ts';
import { calcom } from './calcom.ts';
import { calendly } from './calendly.ts';
import { chargebee } from './chargebee.ts';
import { circleci } from './circleci.ts';
import { clerk } from './clerk.ts';
import { cloudeventsAbuseProtection } from './cloudevents-abuse-protection.ts';
import { coinbaseCommerce } from './coinbase-commerce.ts';
import { datadog } from './datadog.ts';
import { discordInteractions } from './discord-interactions.ts';
import { discordWebhookEvents } from './discord-webhook-events.ts';
import { docusign } from './docusign.ts';
import { dropbox } from './dropbox.ts';
import { flutterwave } from './flutterwave.ts';
import { forgejo } from './forgejo.ts';
import { formspree } from './formspree.ts';
import { generic } from './generic.ts';
import { gitea } from './gitea.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { gitlabSigningToken } from './gitlab-signing-token.ts';
import { gocardless } from './gocardless.ts';
import { htmlForm } from './html-form.ts';
import { googleFormsAppsScript } from './google-forms-apps-script.ts';
import { googlePubsub } from './google-pubsub.ts';
import { grafana } from './grafana.ts';
import { healthchecks } from './healthchecks.ts';
import { hubspotV1 } from './hubspot-v1.ts';
import { hubspotV3 } from './hubspot-v3.ts';
import { instagram } from './instagram.ts';
import { intercom } from './intercom.ts';
import { jira } from './jira.ts';
import { jotform } from './jotform.ts';
import { lemonsqueezy } from './lemonsqueezy.ts';
import { linear } from './linear.ts';
import { mailchimp } from './mailchimp.ts';
import { mailgun } from './mailgun.ts';
import { mercadopago } from './mercadopago.ts';
import { metaLeadAds } from './meta-lead-ads.ts';
import { metaWhatsapp } from './meta-whatsapp.ts';
import { microsoftGraph } from './microsoft-graph.ts';
import { microsoftTeamsOutgoing } from './microsoft-teams-outgoing.ts';
import { mollieLegacy } from './mollie-legacy.ts';
import { mollieNextGen } from './mollie-next-gen.ts';
import { monday } from './monday.ts';
import { netlify } from './netlify.ts';
import { notion } from './notion.ts';
import { okta } from './okta.ts';
import { opsgenie } from './opsgenie.ts';
import { paddle } from './paddle.ts';
import { pagerduty } from './pagerduty.ts';
import { patreon } from './patreon.ts';
import { paypal } from './paypal.ts';
import { paystack } from './paystack.ts';
import { pingdom } from './pingdom.ts';
import { polar } from './polar.ts';
import { postmark } from './postmark.ts';
import { quickbooks } from './quickbooks.ts';
import { razorpay } from './razorpay.ts';
import { resend } from './resend.ts';
import { revolut } from './revolut.ts';
import { sendgrid } from './sendgrid.ts';
import { sentry } from './sentry.ts';
import { shopify } from './shopify.ts';
import { slack } from './slack.ts';
import { square } from './square.ts';
import { squarespace } from './squarespace.ts';
import { standardWebhooks } from './standard-webhooks.ts';
import { standardWebhooksEd25519 } from './standard-webhooks-ed25519.ts';
import { stripe } from './stripe.ts';
import { supabaseAuthHooks } from './supabase-auth-hooks.ts';
import { supabaseDbWebhooks } from './supabase-db-webhooks.ts';
import { svix } from './svix.ts';
import { tally } from './tally.ts';
import { trello } from './trello.ts';
import { twilio } from './twilio.ts';
import { typeform } from './typeform.ts';
import { uptimeKuma } from './uptime-kuma.ts';
import { uptimerobot } from './uptimerobot.ts';
import { vercel } from './vercel.ts';
import { webflow } from './webflow.ts';
import { woocommerce } from './woocommerce.ts';
import { x } from './x.ts';
import { xendit } from './xendit.ts';
import { xero } from './xero.ts';
import { zendesk } from './zendesk.ts';
import { zoom } from './zoom.ts';
import { koFi } from './ko-fi.ts';
import { gumroad } from './gumroad.ts';
import { bigcommerce } from './bigcommerce.ts';
import { sendcloud } from './sendcloud.ts';
import { aftership } from './aftership.ts';
import { zabbix } from './zabbix.ts';
import { newRelic } from './new-relic.ts';
import { cloudflareNotifications } from './cloudflare-notifications.ts';
import type { Provider } from '../provider.ts';

/** All providers by id, in the order in which lists show them. It is a map, so that `constructor` is not a provider. */
export const providers: ReadonlyMap<string, Provider> = new Map(
  [
    stripe,
    github,
    standardWebhooks,
    shopify,
    htmlForm,
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
    opsgenie,
    datadog,
    healthchecks,
    standardWebhooksEd25519,
    svix,
    clerk,
    supabaseAuthHooks,
    microsoftGraph,
    okta,
    auth0,
    awsSns,
    cloudeventsAbuseProtection,
    koFi,
    gumroad,
    bigcommerce,
    sendcloud,
    aftership,
    instagram,
    brevo,
    mailchimp,
    zabbix,
    newRelic,
    cloudflareNotifications,
    jira,
    gitea,
    forgejo,
    circleci,
    buildkite,
    acuity,
    docusign,
    metaLeadAds,
    polar,
    gocardless,
    squarespace,
    revolut,
    googlePubsub,
    patreon,
    azureEventGrid,
    xero,
    quickbooks,
    generic,
  ].map((provider) => [provider.id, provider]),
);
