/** Calls an object, and once more if that goes wrong: most faults pass. Only for what may be done twice. */
export async function onceMore<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (isOverloaded(thrown)) throw thrown;
    return call();
  }
}

/** True if an object has too much to do: it must not be called again. */
export const isOverloaded = (thrown: unknown): boolean =>
  thrown instanceof Error && Reflect.get(thrown, 'overloaded') === true;
