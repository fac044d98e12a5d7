import type { Span } from '../../simulator/chat-text.ts';
import { contentOfParams, type Content } from '../../simulator/bubble.ts';
import { t } from '../texts/texts.ts';
import { Icon } from './icon.tsx';

interface BubbleProps {
  readonly kind: string;
  /** The form fields of the gateway's call; null: they are hidden from this person. */
  readonly params: Readonly<Record<string, unknown>> | null;
}

/** A message as the phone shows it. All of it is text of somebody else: nothing of it becomes markup, or is fetched. */
export function Bubble({ kind, params }: BubbleProps) {
  const content = params === null ? null : read(kind, params);
  return (
    <article class={`bubble bubble-${kind}`} dir="auto">
      {content === null ? (
        <p class="bubble-hidden">{params === null ? t.common.hidden : t.bubble.none}</p>
      ) : (
        <Inside content={content} />
      )}
    </article>
  );
}

/** Null: the fields are not those of this kind. */
function read(kind: string, params: Readonly<Record<string, unknown>>): Content | null {
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  switch (kind) {
    case 'text':
    case 'status':
    case 'image':
    case 'voice':
    case 'poll':
    case 'link-preview':
      try {
        return contentOfParams(kind, texts);
      } catch {
        return null;
      }
    default:
      return null;
  }
}

function Inside({ content }: { content: Content }) {
  switch (content.kind) {
    case 'text':
    case 'status':
      return <Text spans={content.spans} />;
    case 'image':
      return (
        <>
          <Attachment icon="image" label={t.bubble.image} url={content.url} />
          <Text spans={content.caption} />
        </>
      );
    case 'voice':
      return <Attachment icon="voice" label={t.bubble.voice} url={content.url} />;
    case 'poll':
      return (
        <>
          <p class="bubble-question">{content.question}</p>
          <ul class="bubble-options">
            {content.options.map((option, index) => (
              <li key={index}>{option}</li>
            ))}
          </ul>
        </>
      );
    case 'link-preview':
      return (
        <>
          <Text spans={content.spans} />
          <div class="bubble-card">
            <strong>{content.title || content.host}</strong>
            {content.description !== '' && <span>{content.description}</span>}
            <small>{content.host}</small>
          </div>
        </>
      );
    case 'refused':
      return <p>{content.detail}</p>;
  }
}

/** An address that the phone would fetch. The console does not: whoever owns it would learn who looks, and when. */
const Attachment = ({ icon, label, url }: { icon: 'image' | 'voice'; label: string; url: string }) => (
  <div class="bubble-attachment">
    <Icon name={icon} />
    <div>
      <strong>{label}</strong>
      <span class="bubble-url" tabIndex={canScroll(url)}>
        {url}
      </span>
    </div>
  </div>
);

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
