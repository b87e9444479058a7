// Renders Markdown of components as React elements, never as HTML, because components can come from anywhere.
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { spansOf } from './spans.ts';
import type { Span } from './spans.ts';

export const Markdown = ({ text }: { readonly text: string }): ReactNode =>
  text.split('\n').map((line, lineIndex) => (
    <Fragment key={lineIndex}>
      {lineIndex === 0 ? null : <br />}
      {spansOf(line).map((span, spanIndex) => (
        <MarkdownSpan key={spanIndex} span={span} />
      ))}
    </Fragment>
  ));

function MarkdownSpan({ span }: { readonly span: Span }): ReactNode {
  const { kind, text } = span;
  if (kind === 'link')
    return (
      <a href={span.href} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    );
  if (kind === 'code') return <code>{text}</code>;
  if (kind === 'strong') return <strong>{text}</strong>;
  if (kind === 'em') return <em>{text}</em>;
  return text;
}
