import type { Link, Page } from '../model/link.ts';
import type { GatewayCall } from '../model/messages.ts';
import type { Press } from '../model/press.ts';
import type { Random } from '../simulation.ts';
import type { WorldHost } from './host.ts';
import { linksIn, pageIn } from './links.ts';
import { APPROVED_TO, NAMES } from './plan.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The ways in which somebody presses: once or twice, at the same moment as somebody else, or taking it back. */
const WAYS = ['once', 'once', 'twice', 'at once', 'together', 'undo', 'undo late'] as const;
type Way = (typeof WAYS)[number];

/** A message that names this many incidents may be a digest, which does not name all of them. */
const MANY = 5;

/** The way in which somebody treats a link that they have. */
interface Intent {
  readonly link: Link;
  readonly way: Way;
  readonly waitMs: number;
  /** So often a press without an answer is repeated. */
  readonly patience: number;
  /** The time after which the page is looked at again. Null if it never is. */
  readonly looksAfterMs: number | null;
}

/** People who read their phones, and press links: at once, late, twice, together and never. */
export class Receivers {
  readonly #host: WorldHost;
  readonly #end: number;
  #busy = 0;
  #messages = 0;
  /** The newest links of each phone. */
  readonly #newest = new Map<string, readonly Link[]>();

  constructor(host: WorldHost) {
    this.#host = host;
    this.#end = host.simulation.startedAt + host.simulation.duration;
  }

  /** Nobody waits for an answer. */
  get areDone(): boolean {
    return this.#busy === 0;
  }

  /** A message is on a phone, with this text. */
  called({ phone, isShown, text: said }: GatewayCall, text: string): void {
    const { plan, random } = this.#host;
    if (plan.answers === null || !isShown) return;
    const keys = [...new Set([...said.matchAll(/[+=~](k\d+)/g)].map(([, key = '']) => key))];
    const order = /^order (\d+)/.exec(said)?.[1] ?? null;
    const own = { phone, by: NAMES[phone] ?? phone, keys, isWide: keys.length >= MANY, order };
    const links = linksIn(text).map((one): Link => ({ ...one, ...own }));
    const before = this.#newest.get(phone) ?? [];
    const isEnd = links.length === 0 && said.startsWith('-');
    if (links.length === 0 && !isEnd) return;
    if (links.length > 0 && order === null) this.#newest.set(phone, links);
    const message = random.fork(`message ${(this.#messages += 1)}`);
    const isAnswered = message.chance(isEnd ? plan.answers.share / 4 : plan.answers.share);
    const known = isEnd ? before : links;
    if (!isAnswered || known.length === 0) return;
    this.#intend(message, known);
  }

  #intend(random: Random, links: readonly Link[]): void {
    const { simulation } = this.#host;
    const first = links[0];
    if (first === undefined) return;
    const link = random.chance(0.5) ? first : random.pick(links);
    const when = random.next();
    const intent: Intent = {
      link,
      way: random.pick(WAYS),
      waitMs:
        when < 0.4
          ? random.int(1_000, 8_000)
          : when < 0.75
            ? MINUTE_MS * 20 ** random.next()
            : HOUR_MS * (0.3 + 5 * random.next()),
      patience: random.pick([1, 4, 100, 100]),
      looksAfterMs: random.chance(0.5) ? MINUTE_MS * 300 ** random.next() : null,
    };
    if (!simulation.decide(`press.${link.action}`)) return;
    simulation.spawn('a receiver', () => this.#act(random, intent));
  }

  async #act(random: Random, intent: Intent): Promise<void> {
    const { simulation } = this.#host;
    const { link, way, waitMs, patience, looksAfterMs } = intent;
    await simulation.sleep(waitMs);
    if (simulation.now() >= this.#end) return;
    this.#busy += 1;
    simulation.count('presses');
    const presses = [this.#press(random, link, patience)];
    if (way === 'at once') presses.push(this.#press(random, link, patience));
    const other = way === 'together' ? this.#otherOf(random, link) : null;
    if (other !== null) presses.push(this.#press(random.fork('other'), other, patience));
    const [press] = await Promise.all(presses);
    if (press !== undefined) await this.#follow(random, press, intent);
    this.#busy -= 1;
    if (looksAfterMs === null || press === undefined) return;
    await simulation.sleep(looksAfterMs);
    if (simulation.now() >= this.#end) return;
    this.#busy += 1;
    const page = await this.#pageOf(random, link);
    this.#host.alerts.presses.looks(press, page, simulation.now());
    this.#busy -= 1;
  }

  async #follow(random: Random, press: Press, { way, link, patience }: Intent): Promise<void> {
    const { simulation } = this.#host;
    if (way === 'twice') {
      await simulation.sleep(random.int(500, 20_000));
      await this.#press(random, link, patience);
    } else if (way === 'undo' || way === 'undo late') {
      await simulation.sleep(way === 'undo' ? random.int(500, 40_000) : random.int(65_000, 600_000));
      if (press.state === 'done') await this.#takeBack(random, press);
    }
  }

  /** The same link of another receiver of what it is about. */
  #otherOf(random: Random, { phone, action, keys }: Link): Link | null {
    const others = [...this.#newest].flatMap(([owner, links]) =>
      links.filter(
        (one) => owner !== phone && one.action === action && one.keys.some((key) => keys.includes(key)),
      ),
    );
    return others.length === 0 ? null : random.pick(others);
  }

  /** Presses until there is an answer, or patience is over, and reads the page. */
  async #press(random: Random, link: Link, patience: number): Promise<Press> {
    const { simulation, alerts, messages } = this.#host;
    const { presses } = alerts;
    const { order } = link;
    const before = presses.all.length;
    const isFirst = !presses.all.some((one) => one.link.order === order);
    let press = presses.begins(link, simulation.now());
    const isNew = presses.all.length > before;
    const approved = { phone: APPROVED_TO, text: `approved ${order}` };
    // Taken back, or on a message that was sent anew: its answer may come once more.
    // Pressed again for a reason that only may have made it new, it may have been no press at all.
    if (order !== null && isNew && !isFirst)
      messages.again(approved, press.isAgain ? -Infinity : simulation.now());
    const { isLost, isAnswered } = await this.#post(
      random,
      link,
      false,
      order === null ? patience : Infinity,
      () => {
        if (order !== null) return;
        // A link whose incident nobody has any more since the first try is pressed anew.
        const now = simulation.now();
        const same = presses.begins(link, now);
        if (same !== press) presses.gaveUp(press, now);
        press = same;
      },
    );
    if (!isAnswered) {
      presses.gaveUp(press, simulation.now());
      return press;
    }
    const page = await this.#pageOf(random, link);
    const now = simulation.now();
    if (order !== null && page.kind === 'own')
      messages.accepted({
        source: 'orders',
        ...approved,
        isHeld: false,
        other: null,
        requestedAt: press.requestedAt,
        acceptedAt: now,
      });
    presses.answered(press, page, { at: now, isLost });
    return press;
  }

  async #takeBack(random: Random, press: Press): Promise<void> {
    const { simulation, alerts, messages } = this.#host;
    const { link } = press;
    const approved = { phone: APPROVED_TO, text: `approved ${link.order}` };
    alerts.presses.takesBack(press, simulation.now());
    if (link.order !== null) {
      messages.again(approved, simulation.now());
      messages.cancelled(approved);
    }
    simulation.count('undos');
    const { isLost } = await this.#post(random, link, true, Infinity, () => undefined);
    const page = await this.#pageOf(random, link);
    const clockOffMs = simulation.clockOffMs(press.requestedAt - 10 * MINUTE_MS);
    alerts.presses.tookBack(press, page, { at: simulation.now(), isLost, clockOffMs });
  }

  /** `isLost`: a request had no answer that says that it was handled. `onAgain`: before each try but the first. */
  async #post(
    random: Random,
    { token, action, by }: Link,
    isUndo: boolean,
    patience: number,
    onAgain: () => void,
  ): Promise<{ readonly isLost: boolean; readonly isAnswered: boolean }> {
    const { simulation, relay } = this.#host;
    for (let tries = 1; ; tries += 1) {
      const { status } = await relay.press(token, isUndo);
      simulation.trace({
        who: `person ${by}`,
        what: isUndo ? 'takes back' : 'presses',
        detail: { action, token: token.slice(-6), status },
      });
      if (status === 303) return { isLost: tries > 1, isAnswered: true };
      if (tries >= patience) return { isLost: true, isAnswered: false };
      await simulation.sleep(random.int(2_000, 30_000));
      onAgain();
    }
  }

  async #pageOf(random: Random, { token, action, by }: Link): Promise<Page> {
    const { simulation, relay } = this.#host;
    for (;;) {
      const { status, body } = await relay.page(token);
      const page = pageIn(status, String(body));
      if (page !== null) {
        const who = 'who' in page ? page.who : '';
        simulation.trace({
          who: `person ${by}`,
          what: 'reads the page',
          detail: { action, token: token.slice(-6), says: `${page.kind} ${who}`.trim() },
        });
        return page;
      }
      await simulation.sleep(random.int(2_000, 20_000));
    }
  }
}
