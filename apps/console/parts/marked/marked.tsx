// Renders Markdown of components as React elements, never as HTML, because components can come from anywhere.
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { spansOf } from './spans.ts';
import type { Span } from './spans.ts';

export const Marked = ({ text }: { readonly text: string }): ReactNode =>
  text.split('\n').map((line, at) => (
    <Fragment key={at}>
      {at === 0 ? null : <br />}
      {spansOf(line).map((span, place) => (
        <Drawn key={place} span={span} />
      ))}
    </Fragment>
  ));

function Drawn({ span }: { readonly span: Span }): ReactNode {
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
