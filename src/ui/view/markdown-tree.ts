import MarkdownIt, { type Token } from 'markdown-it';

/** A piece of a text as it is drawn. Nothing else can come out of any text. */
export type MarkdownNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly isBlock: boolean }
  | { readonly kind: 'break' | 'rule' }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly MarkdownNode[] }
  | {
      readonly kind: 'element';
      readonly tag: MarkdownTag;
      readonly children: readonly MarkdownNode[];
    };

const TAGS = [
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote'],
  ...['strong', 'em', 's', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
] as readonly MarkdownTag[];

export type MarkdownTag =
  | ('p' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'ul' | 'ol' | 'li' | 'blockquote')
  | ('strong' | 'em' | 's' | 'table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td');

/** HTML is text, and no address is guessed from a word. */
const markdown = new MarkdownIt('default', { html: false, linkify: false, typographer: false });
markdown.validateLink = isOutside;

/** A page that can be left to; everything else that a link may do is none. */
export function isOutside(address: string): boolean {
  try {
    return /^https?:$/.test(new URL(address).protocol);
  } catch {
    return false;
  }
}

/** More pieces than this are read as plain text: nobody reads them, and drawing them takes long. */
const MOST_TOKENS = 6000;

/** The tree of a text; null = it is shown as it is. */
export function markdownTree(text: string): readonly MarkdownNode[] | null {
  const tokens = markdown.parse(text, {});
  const count = tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0);
  return count > MOST_TOKENS ? null : treeOf(tokens);
}

/** Opening and closing tokens in a row become a tree; hidden ones leave their children. */
function treeOf(tokens: readonly Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: { readonly token: Token; readonly children: MarkdownNode[] }[] = [];
  const put = (...nodes: MarkdownNode[]) => (open.at(-1)?.children ?? root).push(...nodes);
  for (const token of tokens) {
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === -1) {
      const closed = open.pop();
      if (closed !== undefined) put(...elementOf(closed.token, closed.children));
    } else put(...leafOf(token));
  }
  return root;
}

function elementOf(token: Token, children: readonly MarkdownNode[]): readonly MarkdownNode[] {
  if (token.type === 'link_open') {
    const href = String(token.attrGet('href') ?? '');
    return isOutside(href) ? [{ kind: 'link', href, children }] : children;
  }
  const tag = TAGS.find((name) => name === token.tag);
  if (tag === undefined || token.hidden) return children;
  return [{ kind: 'element', tag, children }];
}

function leafOf({ type, content, children }: Token): readonly MarkdownNode[] {
  switch (type) {
    case 'inline':
      return treeOf(children ?? []);
    case 'code_inline':
      return [{ kind: 'code', text: content, isBlock: false }];
    case 'fence':
    case 'code_block':
      return [{ kind: 'code', text: content.replace(/\n$/, ''), isBlock: true }];
    case 'softbreak':
    case 'hardbreak':
      return [{ kind: 'break' }];
    case 'hr':
      return [{ kind: 'rule' }];
    default:
      // Also a picture, of which its words are left: none is loaded from anywhere.
      return content === '' ? [] : [{ kind: 'text', text: content }];
  }
}
