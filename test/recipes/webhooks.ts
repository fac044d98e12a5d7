import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseOwnJson } from '../../src/lib/json.ts';
import type { Starter } from '../../src/config/documents/provider-file.ts';
import type { Webhook } from './story.ts';

const PROVIDERS = join(import.meta.dirname, '../../assets/providers');

type Json = Record<string, unknown>;

/** The payload of a provider's sample, to be changed. */
function sample(provider: string, name: string): Json {
  const { samples } = parseOwnJson<Starter>(readFileSync(join(PROVIDERS, `${provider}.json`), 'utf8'));
  const payload = samples.find((one) => one.name === name)?.payload;
  if (typeof payload !== 'object' || payload === null) throw new Error(`${provider} has no sample ${name}`);
  return { ...structuredClone(payload) };
}

/** A part of a payload, which is an object there. */
function part(of: unknown, ...path: readonly string[]): Json {
  const found = path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), of);
  if (typeof found !== 'object' || found === null) throw new Error(`nothing at ${path.join('.')}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object of a sample, to be changed in place
  return found as Json;
}

const json = (make: (at: Date) => unknown) => (now: Date) => JSON.stringify(make(now));
const seconds = (now: Date): number => Math.floor(now.getTime() / 1_000);

interface Order {
  readonly number: number;
  readonly name: string;
  readonly price: string;
  readonly phone?: string;
  readonly country?: string;
}

function shopify(topic: string, what: string, delivery: string, make: (now: Date) => unknown): Webhook {
  const headers = { 'X-Shopify-Topic': topic, 'X-Shopify-Webhook-Id': `shopify-${delivery}` };
  return { source: 'shopify', what, headers, body: json(make) };
}

/** Shopify says twice what is paid when it is ordered: `orders/create` and `orders/paid`. */
export const paid = (topic: 'orders/create' | 'orders/paid', order: Order): Webhook =>
  shopify(topic, `order #${order.number} is paid`, `${topic}-${order.number}`, (now) => {
    const payload = sample('shopify', 'orders/paid');
    const [first = '', last = ''] = order.name.split(' ');
    Object.assign(part(payload, 'customer'), { first_name: first, last_name: last });
    Object.assign(part(payload, 'shipping_address'), { name: order.name, phone: null });
    return Object.assign(payload, {
      id: 5_821_638_900_000 + order.number,
      name: `#${order.number}`,
      total_price: order.price,
      phone: order.phone ?? null,
      customer_locale: order.country === undefined ? 'de-DE' : 'en-GB',
      created_at: now.toISOString(),
    });
  });

export const packed = (order: Order): Webhook =>
  shopify('fulfillments/create', `order #${order.number} is packed`, `packed-${order.number}`, (now) => {
    const payload = sample('shopify', 'fulfillments/create');
    const { name, phone = null, country: country_code = 'DE' } = order;
    Object.assign(part(payload, 'destination'), { name, phone, country_code });
    const at = now.toISOString();
    return Object.assign(payload, {
      id: 4_255_000_000 + order.number,
      name: `#${order.number}.1`,
      created_at: at,
      updated_at: at,
    });
  });

const STATUSES = { shipped: 22, sorted: 62_990, delivered: 11 } as const;

/** A webhook of Sendcloud about a parcel; `hoursAgo`: it happened that many hours before. */
export const parcel = (
  order: Order,
  status: keyof typeof STATUSES,
  { isReturn = false, hoursAgo = 0 } = {},
): Webhook => ({
  source: 'sendcloud',
  what: `${isReturn ? 'the return of' : 'parcel'} ${order.number}: ${status}${hoursAgo > 0 ? `, ${hoursAgo} h late` : ''}`,
  body: json((now) => {
    const payload = sample('sendcloud', 'picked up');
    const happened = now.getTime() - hoursAgo * 3_600_000;
    Object.assign(part(payload, 'parcel'), {
      id: 431_000 + order.number + (isReturn ? 100_000 : 0),
      name: order.name,
      telephone: order.phone ?? '',
      order_number: String(order.number),
      tracking_url: `https://tracking.example/${order.number}`,
      status: { id: STATUSES[status], message: status },
      is_return: isReturn,
      country: { iso_2: order.country ?? 'DE' },
    });
    return Object.assign(payload, { timestamp: happened, carrier_status_change_timestamp: happened });
  }),
});

/** An event of Stripe about an object, made of a sample's. */
const stripe = (
  source: string,
  {
    id,
    type,
    what,
    of,
  }: { readonly id: string; readonly type: string; readonly what: string; readonly of: string },
  change: (object: Json, now: Date) => void,
): Webhook => ({
  source,
  what,
  body: json((now) => {
    const payload = sample('stripe', of);
    change(part(payload, 'data', 'object'), now);
    return Object.assign(payload, { id: `evt_${id}`, type, created: seconds(now), livemode: true });
  }),
});

export const disputed = (order: Order): Webhook =>
  stripe(
    'stripe',
    {
      id: `dispute_${order.number}`,
      type: 'charge.dispute.created',
      what: `order #${order.number} is disputed`,
      of: 'charge.dispute.created',
    },
    (object, now) => {
      Object.assign(part(object, 'evidence'), { customer_name: order.name });
      Object.assign(part(object, 'evidence_details'), { due_by: seconds(now) + 7 * 86_400 });
      Object.assign(object, { id: `du_${order.number}`, amount: Number(order.price) * 100 });
    },
  );

export const refunded = (order: Order): Webhook =>
  stripe(
    'stripe',
    {
      id: `refund_${order.number}`,
      type: 'charge.refunded',
      what: `order #${order.number} is refunded`,
      of: 'charge.refunded in part',
    },
    (object) => {
      const amount = Number(order.price) * 100;
      Object.assign(part(object, 'billing_details'), { name: order.name, phone: order.phone ?? null });
      Object.assign(object, { amount, amount_refunded: amount });
    },
  );

interface Invoice {
  readonly number: string;
  readonly name: string;
  readonly cents: number;
  /** After the webhook; negative: before. */
  readonly dueInDays: number;
}

/** A webhook of Stripe about an invoice that was sent. */
export const invoice = (
  { number, name, cents, dueInDays }: Invoice,
  type: 'paid' | 'overdue' | 'payment_failed',
  late = '',
): Webhook =>
  stripe(
    'invoices',
    {
      id: `${type}_${number}`,
      type: `invoice.${type}`,
      what: `invoice ${number}: ${type.replace('_', ' ')}${late}`,
      of: type === 'paid' ? 'invoice.paid' : 'invoice.payment_failed',
    },
    (object, now) => {
      const isPaid = type === 'paid';
      Object.assign(object, {
        id: `in_${number}`,
        number,
        customer_name: name,
        amount_due: cents,
        amount_paid: isPaid ? cents : 0,
        amount_remaining: isPaid ? 0 : cents,
        due_date: seconds(now) + dueInDays * 86_400,
        next_payment_attempt: type === 'payment_failed' ? seconds(now) + 3 * 86_400 : null,
        ...(isPaid && {
          status_transitions: { ...part(object, 'status_transitions'), paid_at: seconds(now) },
        }),
      });
    },
  );

interface Visitor {
  readonly name: string;
  readonly email: string;
  readonly phone?: string;
  readonly message: string;
}

/** The form of a website; `origin`: the page that posts it. */
export const form = (fields: Visitor, origin = 'https://studio.example'): Webhook => ({
  source: 'contact',
  what: `${fields.name} fills in the form${origin === 'https://studio.example' ? '' : ` at ${origin}`}`,
  headers: {
    origin,
    'content-type': 'application/x-www-form-urlencoded',
    // Each visitor has an address.
    'cf-connecting-ip': `192.0.2.${fields.name.length}`,
  },
  body: () => new URLSearchParams(Object.entries(fields)).toString(),
});

interface Booking {
  readonly uid: string;
  readonly name: string;
  readonly phone?: string;
  /** ISO 8601. */
  readonly start: string;
  /** Of the booking that this one takes the place of. */
  readonly before?: { readonly uid: string; readonly start: string };
  /** The booking that takes its place. */
  readonly movedTo?: string;
}

/** A webhook of Cal.com about a booking. */
export const booking = (
  { uid, name, phone, start, before, movedTo }: Booking,
  type: 'CREATED' | 'RESCHEDULED' | 'CANCELLED',
  late = '',
): Webhook => ({
  source: 'bookings',
  what: `${name}: ${movedTo === undefined ? type.toLowerCase() : 'the old time is cancelled'}${late}`,
  body: json((now) => {
    const payload = sample('calcom', 'BOOKING_CREATED');
    const inner = part(payload, 'payload');
    Object.assign(inner, {
      uid,
      startTime: start,
      attendees: [{ name, email: 'guest@example.com', timeZone: 'Europe/Berlin', phoneNumber: phone }],
      ...(before !== undefined && { rescheduleUid: before.uid, rescheduleStartTime: before.start }),
      ...(movedTo !== undefined && { rescheduledToUid: movedTo }),
    });
    const responses = part(inner, 'responses');
    Object.assign(responses, { notes: {}, attendeePhoneNumber: { value: phone ?? '' } });
    return Object.assign(payload, { triggerEvent: `BOOKING_${type}`, createdAt: now.toISOString() });
  }),
});

interface Run {
  readonly workflow: number;
  readonly name: string;
  readonly title: string;
  readonly run: number;
  readonly is: 'success' | 'failure';
}

/** A run of a workflow on the default branch. */
export const run = ({ workflow, name, title, run: id, is }: Run, again = ''): Webhook => ({
  source: 'github',
  what: `${name}: ${is}${again}`,
  headers: { 'X-GitHub-Event': 'workflow_run', 'X-GitHub-Delivery': `delivery-${workflow}-${id}` },
  body: json((now) => {
    const payload = sample('github', 'workflow run failed');
    Object.assign(part(payload, 'workflow_run'), {
      id,
      name,
      conclusion: is,
      display_title: title,
      workflow_id: workflow,
      html_url: `https://github.com/example/shop/actions/runs/${id}`,
      ...(again === '' && { updated_at: now.toISOString() }),
    });
    return payload;
  }),
});

export const released = (): Webhook => ({
  source: 'github',
  what: 'version 2.4 is released',
  headers: { 'X-GitHub-Event': 'release', 'X-GitHub-Delivery': 'delivery-2.4' },
  body: json(() => sample('github', 'release published')),
});

export const monitor = (id: number, name: string, is: 'up' | 'down'): Webhook => ({
  source: 'uptime-kuma',
  what: `${name} is ${is}`,
  body: json((now) => {
    const payload = sample('uptime-kuma', 'down');
    const time = now.toISOString().replace('T', ' ').replace('Z', '');
    Object.assign(part(payload, 'heartbeat'), {
      monitorID: id,
      status: is === 'up' ? 1 : 0,
      msg: is === 'up' ? '200 - OK' : 'timeout of 48000ms exceeded',
      time,
    });
    Object.assign(part(payload, 'monitor'), { id, name });
    return payload;
  }),
});

/** The backup's exit code. */
export const backup = (status: number): Webhook => ({
  source: 'backup',
  what: status === 0 ? 'the backup is done' : 'the backup fails',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: () => new URLSearchParams({ host: 'nas', job: 'nightly', status: String(status) }).toString(),
});

export const disk = (): Webhook => ({
  source: 'disks',
  what: 'smartd finds bad sectors',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: () =>
    new URLSearchParams({
      host: 'nas',
      disk: '/dev/sdb',
      type: 'CurrentPendingSector',
      message: 'Device: /dev/sdb [SAT], 8 Currently unreadable (pending) sectors',
    }).toString(),
});

interface Alert {
  readonly name: string;
  readonly instance: string;
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  readonly service?: string;
}

/** A notification of Alertmanager or Grafana. */
export const alerts = (
  source: 'alertmanager' | 'grafana',
  all: readonly Alert[],
  status: 'firing' | 'resolved',
  by = '',
): Webhook => ({
  source,
  what: `${all.length === 1 ? (all[0]?.name ?? '') : `${all.length} alerts`} ${status}${by}`,
  body: json((now) =>
    Object.assign(sample(source, 'firing'), {
      status,
      alerts: all.map(({ name, instance, severity, summary, service = 'shop' }) => ({
        status,
        labels: { alertname: name, instance, severity, service },
        annotations: { summary },
        startsAt: now.toISOString(),
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: 'https://prometheus.example/graph',
        fingerprint: `${name}-${instance}`,
      })),
    }),
  ),
});

export const robot = (is: 'Up' | 'Down'): Webhook => ({
  source: 'uptimerobot',
  what: `the shop is ${is.toLowerCase()}`,
  body: json((now) =>
    Object.assign(sample('uptimerobot', 'down'), {
      alertType: is === 'Down' ? '1' : '2',
      alertTypeFriendlyName: is,
      alertDetails: is === 'Down' ? 'HTTP 503 - Service Unavailable' : 'HTTP 200 - OK',
      alertDateTime: String(seconds(now)),
    }),
  ),
});
