/** A texture set that cannot be loaded or drawn. The message says what is wrong, where, and what to do. */
export class ThrongError extends Error {
  override readonly name = 'ThrongError';
}

/** Throws a {@link ThrongError} unless a condition holds. */
export function check(condition: unknown, message: string): asserts condition {
  if (!condition) {
    throw new ThrongError(message);
  }
}
