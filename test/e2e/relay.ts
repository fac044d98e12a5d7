import type { Page } from '../../src/outbox/read/read.ts';
import type { EventSummary } from '../../src/answers/api-event.ts';
import type { OutboxStatus } from '../../src/answers/api-status.ts';
import type { MessageView } from '../../src/answers/api-message.ts';
import { lookUntil } from '../eventually.ts';
import { ASSETS, type Bundles } from './build.ts';
import { TOO_MANY_CALLS } from '../platform-calls.ts';
import { PATIENCE_MS } from './real-time.ts';
import { freePort, startRuntime, type Runtime, type RuntimeOptions } from './runtime.ts';
import { HOOK_SECRET } from './webhook.ts';

export interface ItemOfEvent {
  readonly event: string;
  readonly key?: string;
  readonly outcome: string;
  readonly message?: string;
}

type Vars = Readonly<Record<string, string | undefined>>;

/** A relay on workerd with its store on disk; it can be killed and started again on the same store and port. */
export interface Relay {
  readonly url: string;
  /** The address to which the webhooks of the source `proof` go. */
  readonly hookUrl: string;
  /** `over`: other variables; undefined: not set any more. */
  start(over?: Vars): Promise<void>;
  kill(): Promise<void>;
  /** Of its process. */
  pid(): number;
  /** The number of calls that the platform refused; 0 unless the relay is a limited one. */
  refusedCalls(): number;
  /** All that it has printed. */
  output(): string;
  /** One call of the admin API. */
  admin(method: string, path: string, body?: object): Promise<Response>;
  status(): Promise<OutboxStatus>;
  /** Resolves when nothing waits to be sent; throws when that takes minutes. */
  drained(): Promise<void>;
  /** Replaces the whole configuration; throws with the reasons when it is refused. */
  publish(config: object): Promise<void>;
  /** Every message, in the order accepted. */
  messages(): Promise<readonly MessageView[]>;
  /** The messages in one state, as the admin API lists them. */
  messagesIn(state: string): Promise<readonly MessageView[]>;
  /** Every event, the newest first. */
  events(): Promise<readonly EventSummary[]>;
  /** What became of the items of all events, or of these. */
  items(events?: readonly string[]): Promise<readonly ItemOfEvent[]>;
}

/** The platform's limits, as the proofs set them: fewer calls in one invocation, and less memory, than any plan gives. */
const PLATFORM_CALLS = 40;
export const HEAP_MIB = 100;

export const ADMIN_TOKEN = 'admin-token-of-the-proof';

/** Further settings for the start of a relay: variables, and arguments of its process. */
export interface RelayExtras {
  readonly vars?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Further classes of objects, which the module exports. */
  readonly objects?: Objects;
}

type Objects = readonly { readonly binding: string; readonly className: string }[];

/** The relay's Worker, and the one that stands in for KV. */
const relayWorkers = (
  module: string,
  kv: string,
  vars: Readonly<Record<string, string>>,
  objects: Objects = [],
): RuntimeOptions['workers'] => [
  {
    name: 'relay',
    module,
    objects: [
      { binding: 'OUTBOX', className: 'Outbox' },
      { binding: 'REGISTRY', className: 'Registry' },
      ...objects,
    ],
    kv: { CONFIG: 'kv' },
    folders: { ASSETS },
    vars,
  },
  { name: 'kv', module: kv, objects: [{ binding: 'STORE', className: 'KvStore' }] },
];

/**
 * Starts the relay of `bundles` on a free port, in front of the gateway at `gatewayUrl`. `isLimited`: under the platform's
 * limits of calls and memory.
 */
export async function startRelay(
  { relay, limited, kv, compatibilityDate }: Bundles,
  gatewayUrl: string,
  storeDir: string,
  isLimited = false,
  extras: RelayExtras = {},
): Promise<Relay> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const vars = {
    GATEWAY_BASE_URL: gatewayUrl,
    GATEWAY_EMAIL: 'proof@example.com',
    GATEWAY_API_KEY: 'gateway-key-of-the-proof',
    ADMIN_TOKEN,
    HOOK_SECRET,
    ...(isLimited && { CALLS_PER_RUN: String(PLATFORM_CALLS), PLATFORM_CALLS: String(PLATFORM_CALLS) }),
    ...extras.vars,
  };
  const start = (over: Vars = {}): Promise<Runtime> =>
    startRuntime({
      port,
      storeDir,
      compatibilityDate,
      readyPath: '/health',
      args: extras.args ?? [],
      v8Flags: isLimited ? [`--max-old-space-size=${HEAP_MIB}`] : [],
      workers: relayWorkers(isLimited ? limited : relay, kv, setOf({ ...vars, ...over }), extras.objects),
    });
  let runtime = await start();
  return {
    url,
    hookUrl: `${url}/hooks/proof`,
    start: async (over) => {
      runtime = await start(over);
    },
    kill: () => runtime.kill(),
    pid: () => runtime.pid,
    output: () => runtime.output(),
    refusedCalls: () => runtime.output().split(TOO_MANY_CALLS).length - 1,
    ...adminClient(`${url}/admin/api/v1`),
  };
}

const setOf = (vars: Vars): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(vars).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

const isDrained = ({ queued, retrying, sending }: OutboxStatus): boolean => queued + retrying + sending === 0;

type AdminClient = Pick<
  Relay,
  'admin' | 'publish' | 'status' | 'drained' | 'messages' | 'messagesIn' | 'events' | 'items'
>;

function adminClient(url: string): AdminClient {
  const admin: Relay['admin'] = (method, path, body) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const read = async (path: string): Promise<Response> => {
    const response = await admin('GET', path);
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const status = async (): Promise<OutboxStatus> =>
    (await read('/accounts/default/status')).json<OutboxStatus>();
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller names what the list is of
  const list = async <Item>(path: string): Promise<readonly Item[]> => {
    const found: Item[] = [];
    for (let cursor = ''; ;) {
      const page = await (await read(`${path}${cursor}`)).json<Page<Item>>();
      found.push(...page.items);
      if (page.next_cursor === null) return found;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  };
  const events = (): Promise<readonly EventSummary[]> => list('/events?limit=200');
  const messages = async (filter: string): Promise<readonly MessageView[]> =>
    (await list<MessageView>(`/messages?limit=200${filter}`)).toReversed();
  return {
    admin,
    status,
    drained: async () => {
      const now = await lookUntil(status, isDrained, { withinMs: PATIENCE_MS, eachMs: 50 });
      if (isDrained(now)) return;
      const [waiting] = [...(await messages('&state=retrying')), ...(await messages('&state=queued'))];
      throw new Error(`not drained in ${PATIENCE_MS} ms: ${JSON.stringify({ ...now, waiting })}`);
    },
    messages: () => messages(''),
    messagesIn: (state) => messages(`&state=${state}`),
    events,
    items: async (ids) => {
      const found: ItemOfEvent[] = [];
      for (const event of ids ?? (await events()).map(({ id }) => id)) {
        const answer = await read(`/events/${event}`);
        const { items = [] } = await answer.json<{ items?: readonly Omit<ItemOfEvent, 'event'>[] }>();
        found.push(...items.map((item) => ({ ...item, event })));
      }
      return found;
    },
    publish: async (config) => {
      const response = await admin('POST', '/config', config);
      if (!response.ok) throw new Error(`publish: ${response.status} ${await response.text()}`);
    },
  };
}
