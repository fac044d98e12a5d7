import { vi } from 'vitest';

/** The globals as they were before the first test file of this runtime. */
const BEFORE = Symbol.for('hookbell.globals');
const kept: typeof globalThis & { [BEFORE]?: ReadonlyMap<string, unknown> } = globalThis;

/** Those of Vitest and its plugin, which change from file to file. */
const isVitests = (name: string): boolean => name.startsWith('__');

/** Returns the content of a property, without reading it. */
const contentOf = (descriptor: PropertyDescriptor): unknown =>
  Reflect.get(descriptor, 'value') ?? Reflect.get(descriptor, 'get');

/** The platform's own stand in the prototypes; what is put over one stands before it. */
function globals(): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  let place: unknown = globalThis;
  while (place instanceof Object && place !== Object.prototype) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(place)))
      if (!isVitests(name) && !found.has(name)) found.set(name, contentOf(descriptor));
    place = Object.getPrototypeOf(place);
  }
  return found;
}

kept[BEFORE] ??= globals();

/** Takes back all that Vitest put over something. */
export function undoStubs(): void {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}

/** The names of globals that are not what they were, new ones among them. */
export function changedGlobals(): readonly string[] {
  const now = globals();
  const before = kept[BEFORE] ?? now;
  return [...new Set([...before.keys(), ...now.keys()])].filter(
    (name) => !Object.is(now.get(name), before.get(name)),
  );
}
