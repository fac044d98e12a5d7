import { createHmac } from 'node:crypto';
import { FORM_SOURCE } from './demo-page.ts';

/** The signing secrets of the demonstration. They protect only a relay on this machine. */
export const DEMO_SECRETS = {
  STRIPE_WEBHOOK_SECRET: 'whsec_demo_signing_secret',
  ALERTMANAGER_TOKEN: 'demo-alertmanager-token',
} as const;

/** A webhook as its sender posts it to its source. */
export interface DemoWebhook {
  readonly what: string;
  readonly source: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type DemoSecrets = Readonly<Record<keyof typeof DEMO_SECRETS, string>>;

/** The three webhooks that `npm start` posts: the form of the demo's page, a signed payment, a group of alerts. */
export const demoWebhooks = (now: Date, secrets: DemoSecrets, pageUrl: string): readonly DemoWebhook[] => [
  contactForm(now, pageUrl),
  stripePayment(now, secrets),
  alertmanager(now, secrets),
];

/** A contact form as a browser posts it. The same form within a minute is one event, so each has another text. */
function contactForm(now: Date, pageUrl: string): DemoWebhook {
  const body = new URLSearchParams({
    name: 'Jürgen Müller',
    email: 'juergen@example.com',
    phone: '0151 23456789',
    message:
      'Do you have the *blue* one in 42 & 43?\nI need it by Friday – 100% sure :)\n' +
      `My last order was ${Math.floor(now.getTime() / 1_000)}.`,
  });
  return {
    what: `the form of ${pageUrl}`,
    source: FORM_SOURCE,
    path: `/hooks/${FORM_SOURCE}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      origin: new URL(pageUrl).origin,
      referer: pageUrl,
    },
    body: body.toString(),
  };
}

function stripePayment(now: Date, secrets: DemoSecrets): DemoWebhook {
  const created = Math.floor(now.getTime() / 1_000);
  const session = {
    id: `cs_test_${created}`,
    object: 'checkout.session',
    amount_total: 12_950,
    currency: 'eur',
    payment_status: 'paid',
    customer_details: { name: 'Zoë Schmidt', email: 'zoe@example.com', phone: '+4915187654399' },
  };
  const event = {
    id: `evt_demo_${created}`,
    object: 'event',
    type: 'checkout.session.completed',
    created,
    data: { object: session },
  };
  const body = JSON.stringify(event, null, 2);
  const signature = createHmac('sha256', secrets.STRIPE_WEBHOOK_SECRET).update(`${created}.${body}`);
  return {
    what: 'a Stripe checkout, signed',
    source: 'shop-payments',
    path: '/hooks/shop-payments',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': `t=${created},v1=${signature.digest('hex')}`,
    },
    body,
  };
}

/** A notification as Alertmanager sends it (version 4), with three alerts. */
function alertmanager(now: Date, secrets: DemoSecrets): DemoWebhook {
  const minutesAgo = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString();
  const alert = (status: string, alertname: string, instance: string, summary: string, minutes: number) => ({
    status,
    labels: { alertname, instance, service: 'checkout', severity: 'critical' },
    annotations: { summary },
    startsAt: minutesAgo(minutes),
    endsAt: status === 'resolved' ? minutesAgo(0) : '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus.example/graph',
    fingerprint: `${alertname}-${instance}`.toLowerCase(),
  });
  const notification = {
    version: '4',
    groupKey: '{}:{service="checkout"}',
    truncatedAlerts: 0,
    status: 'firing',
    receiver: 'hookbell',
    groupLabels: { service: 'checkout' },
    commonLabels: { service: 'checkout', severity: 'critical' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example',
    alerts: [
      alert('firing', 'HighErrorRate', 'web-1:9090', '12% of the requests fail (threshold 1%)', 4),
      alert('firing', 'DiskAlmostFull', 'db_main_1:9100', 'Disk /var/lib is 96% full, full in ~2 h', 27),
      alert('resolved', 'LatencyHigh', 'web-2:9090', 'p99 is back under 300 ms', 61),
    ],
  };
  return {
    what: 'an Alertmanager notification, three alerts',
    source: 'alerts',
    path: '/hooks/alerts',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Alertmanager/0.28.1',
      authorization: `Bearer ${secrets.ALERTMANAGER_TOKEN}`,
    },
    body: `${JSON.stringify(notification)}\n`,
  };
}
