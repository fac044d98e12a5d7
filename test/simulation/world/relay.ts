import { createHmac } from 'node:crypto';
import { BINDINGS, ConnectionLost, PLACES, RELAY, type Random, type Simulation } from '../simulation.ts';

export const SENDER_SECRET = 'secret-of-the-senders-of-the-simulation';

/** An answer of the relay; `status` 0: there was none. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The relay as its senders and admins see it. */
export class Relay {
  readonly #simulation: Simulation;
  readonly #random: Random;

  constructor(simulation: Simulation, random: Random) {
    this.#simulation = simulation;
    this.#random = random;
  }

  async #request(path: string, init: RequestInit): Promise<Answer> {
    try {
      const response = await this.#simulation.request(
        this.#random.pick(PLACES),
        new Request(`${RELAY}${path}`, init),
      );
      const text = await response.text();
      return { status: response.status, body: isJson(response) ? JSON.parse(text) : text };
    } catch (thrown) {
      if (thrown instanceof ConnectionLost) return { status: 0, body: null };
      throw thrown;
    }
  }

  /** A webhook of a source, as its sender would sign it. */
  post(source: string, body: string): Promise<Answer> {
    return this.#request(`/hooks/${source}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-signature': createHmac('sha256', SENDER_SECRET).update(body).digest('hex'),
        'x-token': SENDER_SECRET,
      },
      body,
    });
  }

  /** Presses the button of a link's page, or the one that takes the press back. */
  press(token: string, isUndo: boolean): Promise<Answer> {
    return this.#request(`/a/${token}${isUndo ? '?undo' : ''}`, { method: 'POST' });
  }

  /** Opens the page of a link. */
  page(token: string): Promise<Answer> {
    return this.#request(`/a/${token}`, {});
  }

  /** One call of the admin API. */
  async admin(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#request(`/admin/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${BINDINGS['ADMIN_TOKEN']}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Repeats a call of the admin API until it is answered with one of these. */
  async insist(method: string, path: string, body?: unknown): Promise<Answer> {
    for (;;) {
      const answer = await this.admin(method, path, body);
      if (answer.status >= 200 && answer.status < 500 && answer.status !== 429) return answer;
      await this.#simulation.sleep(20_000);
    }
  }

  /** All elements of a list, page by page. */
  async list(path: string): Promise<readonly unknown[]> {
    const all: unknown[] = [];
    for (let cursor = ''; ;) {
      const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { status, body } = await this.insist('GET', `${path}${next}`);
      if (status !== 200) throw new Error(`GET ${path} is answered with ${status}: ${JSON.stringify(body)}`);
      const items: unknown = field(body, 'items');
      if (!isList(items)) throw new Error(`GET ${path} lists no items`);
      all.push(...items);
      const after = field(body, 'next_cursor');
      if (typeof after !== 'string') return all;
      cursor = after;
    }
  }
}

const isJson = (response: Response): boolean =>
  response.headers.get('content-type')?.includes('json') ?? false;

/** A field of a value of which nothing is known. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
