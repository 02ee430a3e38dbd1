import { Fragment, type ReactNode, useDeferredValue, useMemo } from 'react';
import { type MarkdownNode, markdownTree } from '../../view/markdown-tree.ts';

/** The text of a model, set; elements of React only, so that no text is ever read as markup. */
export function Rendered({ text }: { readonly text: string }) {
  const settled = useDeferredValue(text);
  const tree = useMemo(() => markdownTree(settled), [settled]);
  if (tree === null) return <p className="model-text">{settled}</p>;
  return <div className="markdown">{nodes(tree)}</div>;
}

/** Headings of a text lie below those of the page, whatever level it gives them. */
const HEADING = /^h\d$/;

const nodes = (all: readonly MarkdownNode[]): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a text grows at its end
  all.map((node, index) => <Fragment key={index}>{one(node)}</Fragment>);

function one(node: MarkdownNode): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'break':
      return <br />;
    case 'rule':
      return <hr />;
    case 'code':
      return node.isBlock ? <Block text={node.text} /> : <code>{node.text}</code>;
    case 'link':
      return <Away href={node.href}>{nodes(node.children)}</Away>;
    case 'element': {
      if (node.tag === 'table') return <Wide>{nodes(node.children)}</Wide>;
      const Tag = HEADING.test(node.tag) ? 'h3' : node.tag;
      return <Tag>{nodes(node.children)}</Tag>;
    }
  }
}

function Block({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}

/** Where a link leads stands beside its words: a model may call an address anything. */
function Away({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const { host } = new URL(href);
  return (
    <a className="link" href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children} <span className="link-host">({host})</span>
    </a>
  );
}

function Wide({ children }: { readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <div className="markdown-table" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  );
}
