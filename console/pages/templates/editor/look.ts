import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The editor in the console's colours, which are light and dark pairs already. */
const theme = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--panel)',
    border: '1px solid var(--edge)',
    borderRadius: '8px',
    fontSize: 'var(--code-size, 13.5px)',
    maxHeight: '60vh',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', borderRadius: '8px', overflow: 'auto' },
  '.cm-content': { padding: '9px 0', minHeight: 'var(--code-height, 0)', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 11px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--panel)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: 'var(--lift)',
    overflow: 'hidden',
    zIndex: '10',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxHeight: '15em',
    maxWidth: 'min(560px, 88vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '12px',
    padding: '5px 10px',
    lineHeight: '1.4',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-wash)',
    color: 'var(--ink)',
  },
  '.cm-completionLabel': { flex: 'none' },
  '.cm-completionDetail': {
    color: 'var(--soft)',
    fontStyle: 'normal',
    marginLeft: 'auto',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)', fontWeight: '650' },
  '.cm-completionInfo': {
    padding: '8px 10px',
    fontFamily: 'var(--mono)',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  '.cm-fault': {
    backgroundColor: 'var(--bad-wash)',
    textDecoration: 'underline wavy var(--bad)',
    textDecorationSkipInk: 'none',
  },
  '.cm-doubt': { backgroundColor: 'var(--warn-wash)', textDecorationColor: 'var(--warn)' },
});

const colours = HighlightStyle.define([
  { tag: tags.meta, color: 'var(--soft)' },
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.function(tags.variableName), color: 'var(--busy)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--warn)' },
  { tag: tags.propertyName, color: 'var(--busy)' },
  { tag: tags.operator, color: 'var(--soft)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
]);

export const look: Extension = [theme, syntaxHighlighting(colours)];
