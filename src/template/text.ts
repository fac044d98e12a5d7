import type { Template } from 'liquidjs';
import { toValueSync } from 'liquidjs';
import { err, ok } from '../lib/result.ts';
import type { Result } from '../lib/result.ts';
import { parseTemplate } from './compile.ts';
import { createContext } from './context.ts';
import { liquid } from './engine.ts';
import { describeFailure } from './basics/failure.ts';
import { MAX_SOURCE_LENGTH } from './basics/limits.ts';
import type { Locale } from './basics/locale.ts';
import { toText } from './basics/print.ts';
import type { Scope } from './basics/scope.ts';

/** A template that has been checked. */
export interface CompiledText {
  readonly source: string;
  /** The inner texts of its `{{ }}` outputs, in order, to be named in the reason of a failure. */
  readonly expressions: readonly string[];
  /** Undefined if there is nothing to interpret. */
  readonly nodes: Template[] | undefined;
}

/**
 * Checks and parses a template that may name `roots` (absent: the names that an event has). The error says what is
 * wrong, where, and how to fix it: unknown filters, tags and names, surplus words, blocks that are not closed.
 */
export function compileText(source: string, roots?: readonly string[]): Result<CompiledText, string> {
  if (!/\{[{%]/.test(source) && source.length <= MAX_SOURCE_LENGTH) {
    return ok({ source, expressions: [], nodes: undefined });
  }
  const parsed = parseTemplate(source, roots);
  return parsed.ok ? ok({ source, ...parsed.value }) : parsed;
}

/**
 * Renders a template: the same scope gives the same text, on every machine. Missing variables are empty. The error
 * names the expression, the filter and the reason, with at most four characters of the payload.
 */
export function renderText(text: CompiledText, scope: Scope, locale: Locale): Result<string, string> {
  if (text.nodes === undefined) return ok(deliverable(text.source));
  try {
    const context = createContext(liquid, scope, locale);
    return ok(deliverable(toText(toValueSync(liquid.renderer.renderTemplates(text.nodes, context)))));
  } catch (error) {
    return err(describeFailure(error));
  }
}

/** Programs that read a message may take NUL for its end. Half a character is nothing that UTF-8 can hold. */
const deliverable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
