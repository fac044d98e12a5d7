import type { Span } from '../../shared/phone/chat-text.ts';
import { contentOf, isShownKind, type Part } from '../../shared/phone/content.ts';
import { t } from '../texts/texts.ts';
import { Icon } from './icon.tsx';
import { useSession } from './session.tsx';

/** A message as the phone shows it. Somebody else wrote all of its text, so none of it becomes markup or is fetched. */
export function Bubble({ kind, params }: { kind: string; params: Readonly<Record<string, unknown>> }) {
  const isHidden = !useSession().sees_payloads;
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const content = !isHidden && isShownKind(kind) ? contentOf(kind, texts) : null;
  return (
    <article class={`bubble bubble-${kind}`} dir="auto">
      {content?.map((part, index) => <Drawn key={index} part={part} />) ?? (
        <p class="bubble-hidden">{isHidden ? t.common.hidden : t.bubble.none}</p>
      )}
    </article>
  );
}

function Drawn({ part }: { part: Part }) {
  switch (part.is) {
    case 'text':
      return <Text spans={part.spans} />;
    case 'image':
    case 'voice':
      // An address that the phone would fetch. The console does not: whoever owns it would learn who looks, and when.
      return (
        <div class="line bubble-attachment">
          <Icon name={part.is} />
          <div>
            <strong>{t.bubble[part.is]}</strong>
            <span class="bubble-url" tabIndex={canScroll(part.url)}>
              {part.url}
            </span>
          </div>
        </div>
      );
    case 'poll':
      return (
        <>
          <p class="bubble-question">{part.question}</p>
          <ul class="stack tight bubble-options">
            {part.options.map((option, index) => (
              <li key={index}>{option}</li>
            ))}
          </ul>
        </>
      );
    case 'card':
      return (
        <div class="stack tight bubble-card">
          <strong>{part.title || part.host}</strong>
          {part.description !== '' && <span class="soft">{part.description}</span>}
          <small class="soft">{part.host}</small>
        </div>
      );
  }
}

/** A long text scrolls by itself, so the keyboard must be able to get into it. */
const canScroll = (text: string): 0 | undefined =>
  text.length > 120 || text.split('\n').length > 8 ? 0 : undefined;

const Text = ({ spans }: { spans: readonly Span[] }) =>
  spans.length === 0 ? null : (
    <p class="bubble-text" tabIndex={canScroll(spans.map(({ text }) => text).join(''))}>
      {spans.map(({ text, marks, href }, index) => {
        const look = marks.map((mark) => `mark-${mark}`).join(' ');
        return href === undefined ? (
          <span key={index} class={look}>
            {text}
          </span>
        ) : (
          <a key={index} class={look} href={href} target="_blank" rel="noopener noreferrer nofollow">
            {text}
          </a>
        );
      })}
    </p>
  );
