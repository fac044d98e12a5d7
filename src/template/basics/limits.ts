/**
 * Bounds of compiling and rendering. They count work and never time: on deployed Workers the clock does not advance
 * during a computation, so a time limit would never fire.
 */

/** The maximum length of a template, in UTF-16 units. The longest message has 4096; the rest is space for logic. */
export const MAX_SOURCE_LENGTH = 32 * 1024;

/** The maximum depth of blocks inside blocks. Parsing and rendering recurse, so this also prevents a stack overflow. */
export const MAX_BLOCK_DEPTH = 32;

/** The maximum depth of parentheses and brackets inside each other in one expression; they recurse as well. */
export const MAX_EXPRESSION_DEPTH = 16;

/** The maximum number of names in one path: each is a look-up that is made even after the path has led to null. */
export const MAX_PATH_LENGTH = 32;

/** The price of rendering a node. A loop in a loop over 100 elements fits. */
export const STEP = 160;

/** The price of calling a filter, whatever it does. */
export const FILTER_CALL = 60;

/** Characters of source per step: about one ordinary expression. */
export const SOURCE_PER_STEP = 24;

/**
 * The maximum work of a render, in units of about 10 ns: a character that is read or made, or a part of something that
 * takes longer. A body of the default cap of 1 MiB can be read four times. The output is bounded as well, far under the
 * 128 MB of an isolate, which all requests share.
 */
export const MAX_WORK = 4 * 1024 * 1024;

/** The maximum work for all messages of one route and event: a thousand messages of two hundred nodes. */
export const MAX_ROUTE_WORK = 32 * 1024 * 1024;

/** The price of a list's element: it takes a filter longer than a character. */
export const SCANNED_PER_ELEMENT = 8;

/** The price of an object's key, which is looked up as well. */
export const SCANNED_PER_KEY = 16;

/** The maximum number of UTF-16 units written, captures included: many times the longest message. */
export const MAX_OUTPUT_LENGTH = 64 * 1024;

/**
 * The largest absolute value of a range's end. Above 2^53, adding one changes nothing, so the loop that builds a range
 * would never end.
 */
export const MAX_RANGE_END = 100_000;
