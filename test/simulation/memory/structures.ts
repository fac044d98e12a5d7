import { Session } from 'node:inspector';
import type { Runtime } from 'node:inspector';

/** The sizes of all maps, sets and lists that are reachable, by the path to each. */
export type Sizes = ReadonlyMap<string, number>;

/** Bindings and storage belong to the platform, and what was configured is as large as its documents. */
const NOT_FOLLOWED: ReadonlySet<string> = new Set([
  'env',
  'ctx',
  'storage',
  'sql',
  'config',
  '#config',
  'rules',
]);

/** The bundler adds a number to a name that another module has. */
const isFollowed = (name: string): boolean => !NOT_FOLLOWED.has(name.replace(/\d+$/, ''));

/** The walk is wrong if it leaves the object. */
const MOST_OBJECTS = 20_000;

/** The key under which the inspector finds what it is asked for. */
const HANDLE = Symbol.for('hookbell.structures');

/** Marks an object; false: it is marked already. */
const MARK = `function () { const seen = globalThis[Symbol.for('hookbell.structures')].seen; return !seen.has(this) && !!seen.add(this); }`;

/** The number of elements of a map, set, list or buffer; null: it is something else. */
function sizeIn({ subtype = '', description = '' }: Runtime.RemoteObject): number | null {
  if (!['map', 'set', 'array', 'typedarray'].includes(subtype)) return null;
  return Number(/\((\d+)\)$/.exec(description)?.[1] ?? Number.NaN);
}

/** Node's types lack the private fields, which the protocol has. */
type Properties = Runtime.GetPropertiesReturnType & {
  readonly privateProperties?: readonly Pick<Runtime.PropertyDescriptor, 'name' | 'value' | 'get'>[];
};

type Callback<Answer> = (error: Error | null, answer: Answer) => void;

/** Asks the inspector, which answers at once for one's own thread. */
function answerOf<Answer>(ask: (callback: Callback<Answer>) => void): Answer {
  const answers: Answer[] = [];
  ask((error, answer) => {
    if (error !== null) throw error;
    answers.push(answer);
  });
  const [answer] = answers;
  if (answer === undefined) throw new Error('the inspector did not answer');
  return answer;
}

/**
 * Walks through everything that is reachable from an object: properties, private fields, entries of maps and sets, and the variables
 * of closures. Node's inspector shows them all, so that nothing has to be listed by hand, and nothing new is missed.
 */
export class Structures {
  readonly #session = new Session();
  readonly #sizes = new Map<string, number>();
  #objects = 0;
  #isBundleDone = false;

  static of(root: object): Sizes {
    const walk = new Structures();
    Reflect.set(globalThis, HANDLE, { root, seen: new WeakSet() });
    walk.#session.connect();
    try {
      const handle = `globalThis[Symbol.for('hookbell.structures')].root`;
      const { result } = answerOf<Runtime.EvaluateReturnType>((callback) =>
        walk.#session.post('Runtime.evaluate', { expression: handle }, callback),
      );
      walk.#follow('', result);
      return walk.#sizes;
    } finally {
      walk.#session.disconnect();
      Reflect.deleteProperty(globalThis, HANDLE);
    }
  }

  #isNew(objectId: string): boolean {
    const call = { objectId, functionDeclaration: MARK, returnByValue: true };
    const { result } = answerOf<Runtime.CallFunctionOnReturnType>((callback) =>
      this.#session.post('Runtime.callFunctionOn', call, callback),
    );
    return result.value === true;
  }

  #follow(root: string, from: Runtime.RemoteObject): void {
    const waiting: (readonly [string, Runtime.RemoteObject])[] = [[root, from]];
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [path, object] = next;
      const { objectId, subtype } = object;
      if (objectId === undefined || subtype === 'proxy' || !this.#isNew(objectId)) continue;
      this.#objects += 1;
      if (this.#objects > MOST_OBJECTS) throw new Error(`the walk has left the object: ${path}`);
      const size = sizeIn(object);
      if (size !== null) this.#sizes.set(path, (this.#sizes.get(path) ?? 0) + size);
      if (subtype !== 'typedarray') waiting.push(...this.#within(path, objectId));
    }
  }

  #properties(objectId: string): Properties {
    return answerOf<Properties>((callback) =>
      this.#session.post('Runtime.getProperties', { objectId, ownProperties: true }, callback),
    );
  }

  #within(path: string, objectId: string): readonly (readonly [string, Runtime.RemoteObject])[] {
    const { result, privateProperties = [], internalProperties = [] } = this.#properties(objectId);
    const own = [...result, ...privateProperties].flatMap(
      ({ name, value, get }): [string, Runtime.RemoteObject][] => {
        const found = value ?? get;
        if (found === undefined || name === '__proto__' || name === 'prototype' || !isFollowed(name))
          return [];
        // Elements share a path: how many there are is what counts.
        return [[/^\d+$/.test(name) ? `${path}[]` : `${path}.${name}`, found]];
      },
    );
    const within = internalProperties.flatMap(({ name, value }) =>
      value?.objectId === undefined
        ? []
        : name === '[[Entries]]'
          ? this.#entries(path, value.objectId)
          : name === '[[Scopes]]'
            ? this.#variables(path, value.objectId)
            : [],
    );
    return [...own, ...within];
  }

  #entries(path: string, entries: string): readonly (readonly [string, Runtime.RemoteObject])[] {
    return this.#properties(entries).result.flatMap(({ name, value }) =>
      /^\d+$/.test(name) && value?.objectId !== undefined
        ? this.#properties(value.objectId).result.flatMap((one): [string, Runtime.RemoteObject][] =>
            ['key', 'value'].includes(one.name) && one.value !== undefined ? [[`${path}[]`, one.value]] : [],
          )
        : [],
    );
  }

  /** The variables that a closure sees. The outermost scope is the bundle's: of that, the lists count, and only once. */
  #variables(path: string, chain: string): readonly (readonly [string, Runtime.RemoteObject])[] {
    const scopes = this.#properties(chain).result.flatMap(({ name, value }) =>
      /^\d+$/.test(name) && value?.objectId !== undefined && !/^(Global|Script)/.test(value.description ?? '')
        ? [value.objectId]
        : [],
    );
    const bundle = scopes.pop();
    const inner = scopes.flatMap((scope) => this.#variablesIn(path, scope));
    if (bundle === undefined || this.#isBundleDone) return inner;
    this.#isBundleDone = true;
    return [...inner, ...this.#variablesIn('bundle', bundle).filter(([, one]) => sizeIn(one) !== null)];
  }

  #variablesIn(path: string, scope: string): readonly (readonly [string, Runtime.RemoteObject])[] {
    return this.#properties(scope).result.flatMap(({ name, value }): [string, Runtime.RemoteObject][] =>
      value === undefined || !isFollowed(name) ? [] : [[`${path}(${name})`, value]],
    );
  }
}

/** The structures that have more elements than before: path, before, after. */
export const grown = (before: Sizes, after: Sizes): readonly string[] =>
  [...after].flatMap(([path, size]) =>
    size > (before.get(path) ?? 0) ? [`${path}: ${before.get(path) ?? 0} → ${size}`] : [],
  );
