/** The errors of an instance that is gone. A caller sees the message. */
export const LOST = {
  connection: { message: 'Network connection lost.', retryable: true },
  code: {
    message: 'Durable Object reset because its code was updated.',
    retryable: true,
    durableObjectReset: true,
  },
  memory: { message: 'Durable Object’s isolate exceeded its memory limit and was reset.', retryable: true },
  overloaded: { message: 'Durable Object is overloaded. Requests queued for too long.', overloaded: true },
} as const;

export type Loss = keyof typeof LOST;

export const lossError = (loss: Loss): Error => {
  const { message, ...marks } = LOST[loss];
  return Object.assign(new Error(message), marks);
};

/** The error that a caller gets of one that was thrown in another object. */
export const remoteError = (error: unknown): unknown => {
  try {
    return structuredClone(error);
  } catch {
    return new Error(String(error));
  }
};
