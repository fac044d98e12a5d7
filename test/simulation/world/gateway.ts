import type { OutsideAnswer, OutsideCall, Random, Simulation } from '../simulation.ts';
import type { GatewayCall, Outcome } from '../model/messages.ts';
import { withoutLinks } from './links.ts';
import { ALERTS_ACCOUNT } from './plan.ts';

export const GATEWAYS = { default: 'gateway.example', second: 'second.gateway.example' } as const;

/** Ways in which the gateway fails. */
const WAYS = [
  'status 500',
  'status 429',
  'status 503',
  'status 401',
  'status 403',
  'status 422',
  'status 302',
  'refused',
  'html',
  'cut off',
  'empty',
  'slow',
  'reset',
  'hang',
  'down',
] as const;
type Way = (typeof WAYS)[number];

/** The relay waits so long for an answer (`timeout`), in ms. */
const PATIENCE_MS = 15_000;

interface Episode {
  readonly accounts: readonly string[];
  readonly way: Way;
  readonly until: number;
  /** The share of calls that fail. */
  readonly share: number;
  /** One call only has to fail: the refusals that are for good would else end every message. */
  calls: number;
}

export interface GatewayHost {
  readonly simulation: Simulation;
  readonly random: Random;
  /** `text`: with its links, which the call has not. */
  called(call: GatewayCall, text: string): void;
  /** The way in which a text is never let through; null: it may be. */
  firewall(text: string): Way | null;
  /** A connection was refused before anything was sent. */
  unreachable(account: string): void;
}

/** The messaging gateway, of which two accounts have one each. It knows what each phone shows. */
export class Gateway {
  readonly #host: GatewayHost;
  readonly #episodes = new Set<Episode>();

  constructor(host: GatewayHost) {
    this.#host = host;
    for (const [account, name] of Object.entries(GATEWAYS))
      host.simulation.outside(
        name,
        (call) => this.#answer(account, call),
        () => {
          const isUp = this.#wayOf(account, true) !== 'down';
          if (!isUp) host.unreachable(account);
          return isUp;
        },
      );
  }

  /** From time to time something is wrong for a while. */
  async fail(perDay: number): Promise<void> {
    const { simulation, random } = this.#host;
    if (perDay === 0) return;
    const end = simulation.startedAt + simulation.duration;
    for (;;) {
      await simulation.sleep(random.next() * 2 * (86_400_000 / perDay));
      if (simulation.now() >= end) return;
      const way = random.pick(WAYS);
      const lasting = 10_000 * 10 ** (random.next() * 2.5);
      const isFinal = way === 'status 422' || way === 'refused';
      const episode: Episode = {
        accounts: random.pick([['default'], ['second'], ['default', 'second'], ['default', 'second']]),
        way,
        until: isFinal ? end : simulation.now() + lasting,
        share: random.pick([0.5, 1]),
        calls: isFinal ? random.int(1, 3) : random.int(1, 100),
      };
      if (!simulation.decide(`gateway.${way.replaceAll(' ', '-')}`)) continue;
      simulation.count('gateway.episodes');
      simulation.trace({
        who: `gateway ${episode.accounts.join(' and ')}`,
        what: `fails: ${way}`,
        detail: { s: Math.round(lasting / 1_000) },
      });
      this.#episodes.add(episode);
    }
  }

  /** From time to time an account refuses a message, or a few, for good. */
  async refuse(
    random: Random,
    everyMs: number,
    account: keyof typeof GATEWAYS = ALERTS_ACCOUNT,
  ): Promise<void> {
    const { simulation } = this.#host;
    const end = simulation.startedAt + simulation.duration;
    for (;;) {
      await simulation.sleep(random.next() * 2 * everyMs);
      if (simulation.now() >= end) return;
      const calls = random.pick([1, 1, 2, 3]);
      if (!simulation.decide('gateway.refuses')) continue;
      simulation.trace({ who: `gateway ${account}`, what: 'refuses', detail: { calls } });
      this.#episodes.add({ accounts: [account], way: 'status 422', until: end, share: 1, calls });
    }
  }

  /** It behaves from now on. */
  calm(): void {
    this.#episodes.clear();
  }

  #wayOf(account: string, isProbe: boolean): Way | null {
    const now = this.#host.simulation.now();
    for (const episode of this.#episodes) {
      if (episode.until <= now || episode.calls <= 0) this.#episodes.delete(episode);
      else if (
        episode.accounts.includes(account) &&
        (episode.way === 'down' || this.#host.random.chance(episode.share))
      ) {
        if (!isProbe) episode.calls -= 1;
        return episode.way;
      }
    }
    return null;
  }

  #answer(account: string, { body, at }: OutsideCall): OutsideAnswer {
    const { random, simulation } = this.#host;
    const form = new URLSearchParams(body);
    const text = form.get('message') ?? '';
    const way = this.#host.firewall(text) ?? this.#wayOf(account, false);
    const afterMs = way === 'slow' ? random.int(1_000, 14_000) : random.int(20, 400);
    const { outcome, shows, answer } = this.#in(way, afterMs);
    const isShown = shows > 0 && (shows === 1 || random.chance(shows));
    const call: GatewayCall = {
      at,
      endsAt: at + (answer.kind === 'hang' ? PATIENCE_MS : afterMs),
      account,
      phone: form.get('phone') ?? '',
      text: withoutLinks(text),
      outcome,
      isShown,
    };
    simulation.count(isShown ? 'shown' : 'gateway.failures');
    simulation.trace({
      who: `phone ${call.phone}`,
      what: isShown ? 'shows' : 'shows nothing',
      detail: { text: call.text, way: way ?? 'ok' },
    });
    this.#host.called(call, text);
    return answer;
  }

  /** `shows`: how likely it is that the phone shows the message. */
  #in(way: Way | null, afterMs: number): { outcome: Outcome; shows: number; answer: OutsideAnswer } {
    const respond = (body: BodyInit | null, init: ResponseInit = {}): OutsideAnswer => ({
      kind: 'answer',
      afterMs,
      response: new Response(body, init),
    });
    const json = (value: unknown, status = 200, headers: Record<string, string> = {}): OutsideAnswer =>
      respond(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } });
    switch (way) {
      case null:
      case 'slow':
        return { outcome: 'sent', shows: 1, answer: json({ success: true, data: { status_code: 200 } }) };
      case 'status 429':
        return no('retry', json({ success: false }, 429, { 'retry-after': '90' }));
      case 'status 401':
        return no('unauthorized', json({ success: false }, 401));
      case 'status 403':
        return no('forbidden', json({ success: false }, 403));
      case 'status 422':
        return no('dead', json({ success: false, message: 'unknown number' }, 422));
      case 'status 302':
        return no(
          'retry',
          respond(null, { status: 302, headers: { location: 'https://elsewhere.example/' } }),
        );
      case 'status 500':
      case 'status 503':
        return no('retry', json({ success: false }, Number(way.slice(-3))));
      case 'refused':
        return no('refused', json({ success: false, message: 'the device is busy' }));
      case 'html':
        return {
          outcome: 'uncertain',
          shows: 0.5,
          answer: respond('<html>', { headers: { 'content-type': 'text/html' } }),
        };
      case 'empty':
        return { outcome: 'uncertain', shows: 0.5, answer: respond('') };
      case 'cut off':
        return {
          outcome: 'uncertain',
          shows: 0.5,
          answer: respond('{"success": tr', { headers: { 'content-type': 'application/json' } }),
        };
      case 'reset':
        return { outcome: 'uncertain', shows: 0.5, answer: { kind: 'reset', afterMs } };
      case 'hang':
        return { outcome: 'uncertain', shows: 0.5, answer: { kind: 'hang' } };
      case 'down':
        // The request had left: the relay cannot know that nothing is shown.
        return no('uncertain', { kind: 'refused' });
    }
  }
}

/** The phone shows nothing. */
const no = (outcome: Outcome, answer: OutsideAnswer) => ({ outcome, shows: 0, answer });
