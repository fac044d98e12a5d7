import { Session } from 'node:inspector';
import type { Runtime } from 'node:inspector';

/** Numbers by path: the elements of the maps, sets and lists that are found there, or the objects. */
export type Sizes = ReadonlyMap<string, number>;

/** All that is reachable from an object. */
export interface Reachable {
  /** The sizes of all maps, sets and lists. */
  readonly sizes: Sizes;
  /** All objects, also those that are in no list, but linked to each other. */
  readonly objects: Sizes;
  /** All promises of the process that are not garbage: no path is known to what waits for one that is not settled. */
  readonly promises: number;
}

/** The inspector's names for what an object leads to without a property. */
const INTERNAL: ReadonlySet<string> = new Set([
  '[[PromiseResult]]',
  '[[TargetFunction]]',
  '[[BoundThis]]',
  '[[BoundArgs]]',
]);

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
  readonly #objects = new Map<string, number>();
  #found = 0;
  #isBundleDone = false;

  static of(root: object): Reachable {
    const walk = new Structures();
    Reflect.set(globalThis, HANDLE, { root, seen: new WeakSet() });
    walk.#session.connect();
    try {
      const promises = walk.#promises();
      walk.#follow('', walk.#evaluate(`globalThis[Symbol.for('hookbell.structures')].root`));
      return { sizes: walk.#sizes, objects: walk.#objects, promises };
    } finally {
      walk.#session.disconnect();
      Reflect.deleteProperty(globalThis, HANDLE);
    }
  }

  #evaluate(expression: string): Runtime.RemoteObject {
    return answerOf<Runtime.EvaluateReturnType>((callback) =>
      this.#session.post('Runtime.evaluate', { expression }, callback),
    ).result;
  }

  #promises(): number {
    const { objectId: prototypeObjectId = '' } = this.#evaluate('Promise.prototype');
    const { objects } = answerOf<Runtime.QueryObjectsReturnType>((callback) =>
      this.#session.post('Runtime.queryObjects', { prototypeObjectId }, callback),
    );
    return sizeIn(objects) ?? Number.NaN;
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
      const { objectId, type, subtype } = object;
      // A symbol has an id, too, but no properties.
      if (objectId === undefined || type === 'symbol' || subtype === 'proxy' || !this.#isNew(objectId))
        continue;
      this.#found += 1;
      if (this.#found > MOST_OBJECTS) throw new Error(`the walk has left the object: ${path}`);
      add(this.#objects, path, 1);
      const size = sizeIn(object);
      if (size !== null) add(this.#sizes, path, size);
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
            : INTERNAL.has(name)
              ? [[`${path}${name}`, value] as const]
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

function add(numbers: Map<string, number>, path: string, more: number): void {
  numbers.set(path, (numbers.get(path) ?? 0) + more);
}

/** The number at all paths together. */
export const total = (sizes: Sizes): number => [...sizes.values()].reduce((sum, size) => sum + size, 0);

/** The structures that have more elements than before: path, before, after. */
export const grown = (before: Sizes, after: Sizes): readonly string[] =>
  [...after].flatMap(([path, size]) =>
    size > (before.get(path) ?? 0) ? [`${path}: ${before.get(path) ?? 0} → ${size}`] : [],
  );
