import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Topics that post the same body if they happen together, such as an order that is paid when it is created. */
const TOPICS = Object.entries({
  orders: ['create', 'updated', 'paid', 'fulfilled', 'partially_fulfilled', 'cancelled'],
  customers: ['create', 'update', 'enable', 'disable'],
  locations: ['create', 'update', 'activate', 'deactivate'],
  themes: ['create', 'update', 'publish'],
  variants: ['in_stock', 'out_of_stock'],
  subscription_contracts: ['create', 'update', 'activate', 'pause', 'cancel', 'fail', 'expire'],
  returns: ['request', 'approve', 'decline', 'cancel', 'close', 'reopen', 'update'],
}).flatMap(([of, what]) => what.map((one) => `${of}/${one}`));

/** Objects that have only these two topics. */
const CREATE_UPDATE = [
  'draft_orders',
  'checkouts',
  'carts',
  'products',
  'collections',
  'fulfillments',
  'inventory_items',
  'disputes',
  'discounts',
  'companies',
  'company_contacts',
  'company_locations',
  'segments',
  'selling_plan_groups',
  'markets',
  'profiles',
].flatMap((of) => [`${of}/create`, `${of}/update`]);

/** Shopify. The secret is the app's client secret, the same for all webhooks of an app. */
export const shopify: Provider = {
  id: 'shopify',
  name: 'Shopify',
  subject:
    '{{ payload.name | default: payload.order_id }} {{ payload.customer.first_name }} {{ payload.customer.last_name }} {% if payload.total_price %}{{ payload.total_price | money_major: payload.currency }}{% endif %}',
  category: 'commerce',
  size_setting: 'name the fields that you need in `include_fields` of its subscription',
  verify: hmac({ header: ['X-Shopify-Hmac-Sha256'], encoding: 'base64' }),
  event_type: ['header:X-Shopify-Topic'],
  dedupe: ['header:X-Shopify-Webhook-Id'],
  signed_body: {
    window: DAY,
    types: [...TOPICS, ...CREATE_UPDATE],
    changing: [
      // A shop, a theme and a variant are installed, published and sold out again without a change of their own.
      [
        { at: 'body:updated_at' },
        { at: 'body:myshopify_domain', absent: true },
        { at: 'body:role', absent: true },
        { at: 'body:product_id', absent: true },
      ],
      // A refund or a transaction.
      [{ at: 'body:created_at' }, { at: 'body:order_id' }, { at: 'body:updated_at', absent: true }],
    ],
  },
};
