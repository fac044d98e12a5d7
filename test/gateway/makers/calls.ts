import { gatewaySpec } from '../../../src/config/compiled/gateway-spec.ts';
import type { MessageKind, SendCall } from '../../../src/gateway/kinds.ts';
import { MAKERS } from '../../../src/gateway/makers/makers.ts';
import type { GatewaySpec } from '../../../src/gateway/shape.ts';
import { BY_HAND } from './by-hand.ts';
import { OPTIONS } from './secrets.ts';

/** A message of each kind, by its kind, so that a new kind is not left out. */
const callsByKind = (to: string): { readonly [K in MessageKind]: SendCall & { readonly kind: K } } => ({
  text: { kind: 'text', phone: to, params: { message: 'Hello *Anna* <b> & more' } },
  image: {
    kind: 'image',
    phone: to,
    params: { image_url: 'https://shop.example/a.png', caption: 'A _picture_' },
  },
  voice: { kind: 'voice', phone: to, params: { audio_url: 'https://shop.example/a.ogg' } },
  'link-preview': {
    kind: 'link-preview',
    phone: to,
    params: { url: 'https://shop.example/x', text: 'Look', title: 'Shop', description: 'All of it' },
  },
  poll: { kind: 'poll', phone: to, params: { question: 'When?', options: 'Mon,Tue,Wed' } },
  status: { kind: 'status', phone: null, params: { text: 'Closed on Monday' } },
});

/** A message of each kind. */
export const callsOf = (to: string): readonly SendCall[] => Object.values(callsByKind(to));

/** A gateway that is not of the API v2. */
export interface MakerRow {
  readonly id: string;
  readonly name: string;
  readonly spec: GatewaySpec;
}

/** Each maker, and the gateway that a document declares, which has the stand-in of WAHA. `standIns`: their address. */
export const makerRows = (standIns: string): readonly MakerRow[] => [
  ...MAKERS.map(({ id, name }) => ({
    id,
    name,
    spec: gatewaySpec({ gateway: id, base_url: 'https://nowhere.example', options: { ...OPTIONS[id] } }),
  })),
  {
    id: 'http',
    name: 'A gateway by hand',
    spec: { maker: 'http', baseUrl: `${standIns}/waha`, options: {}, http: BY_HAND },
  },
];
