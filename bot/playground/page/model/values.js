// Small readings of what the seat API sends: ids, colours, sizes, rights, addresses, refusals.

/** The most bytes that a file may have. */
export const LARGEST_FILE = 10 * 1024 * 1024;

/**
 * "1.4 MB"
 *
 * @param {number} bytes
 */
export function fileSize(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/**
 * Snowflakes are too long for numbers: compare by length, then by digits.
 *
 * @param {string} a
 * @param {string} b
 */
export function compareIds(a, b) {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * A colour of Discord (an integer) as CSS, or null for "none".
 *
 * @param {number | null | undefined} number
 */
export function cssColor(number) {
  return number ? `#${Number(number).toString(16).padStart(6, "0").slice(-6)}` : null;
}

const ADMINISTRATOR = 1n << 3n;
export const MANAGE_CHANNELS = 1n << 4n;
export const MANAGE_MESSAGES = 1n << 13n;

/**
 * Whether a set of permissions, as decimal digits, holds a right; administrators have every right.
 *
 * @param {string} permissions
 * @param {bigint} right
 */
export function allows(permissions, right) {
  return (BigInt(permissions) & (right | ADMINISTRATOR)) !== 0n;
}

/**
 * The address if it is an ordinary web address, else null.
 *
 * @param {string | undefined} address
 */
export function webAddress(address) {
  try {
    const url = new URL(address ?? "");
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * What went wrong, in words that can be shown.
 *
 * @param {unknown} error
 */
export function wordsOf(error) {
  return error instanceof Error ? error.message : String(error);
}
