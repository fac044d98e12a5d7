/** Calls an object, and again if the call fails, since most faults pass. Only for calls that may be made twice. */
export async function onceMore<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (isOverloaded(thrown)) throw thrown;
    return call();
  }
}

/** True if an object is overloaded. It must not be called again. */
export const isOverloaded = (thrown: unknown): boolean =>
  thrown instanceof Error && Reflect.get(thrown, 'overloaded') === true;
