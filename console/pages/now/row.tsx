import type { ComponentChildren } from 'preact';
import { t } from '../../texts/texts.ts';
import { Badge } from '../../ui/basics.tsx';

interface RowProps {
  readonly tone: 'bad' | 'warn';
  readonly word: string;
  readonly title: string;
  readonly detail: ComponentChildren;
  readonly isGone: boolean;
  readonly done: ComponentChildren;
  readonly children?: ComponentChildren;
  /** Content below, over the whole width. */
  readonly below?: ComponentChildren;
}

/** A card of the first page. One that is over keeps its place and its size, so that nothing slides under a finger. */
export const Row = ({ tone, word, title, detail, isGone, done, children, below }: RowProps) => (
  <li class={`now-finding ${tone}${isGone ? ' gone' : ''}`} inert={isGone}>
    <div class="now-finding-text">
      <p>
        <Badge tone={isGone ? 'calm' : tone}>{isGone ? t.now.gone : word}</Badge>
      </p>
      <p class="now-finding-title">{title}</p>
      <p class="soft">{detail}</p>
    </div>
    <div class="now-finding-actions">
      {children}
      {done}
    </div>
    {below}
  </li>
);
