import { describe, expect, it } from 'vitest';
import { type MarkdownNode, markdownTree } from '../../src/ui/view/markdown-tree.ts';

const all = (nodes: readonly MarkdownNode[]): MarkdownNode[] =>
  nodes.flatMap((node) => ('children' in node ? [node, ...all(node.children)] : [node]));
const kindsIn = (text: string): string[] =>
  all(markdownTree(text) ?? []).map((node) => (node.kind === 'element' ? node.tag : node.kind));
const wordsIn = (text: string): string =>
  all(markdownTree(text) ?? [])
    .map((node) => ('text' in node ? node.text : ''))
    .join('');

describe('CON-48: a model’s words as markdown', () => {
  it('have headings, lists, tables, code, marks and breaks', () => {
    const text =
      '# One\n\n- **a** `b`\n- *c*\n\n| x | y |\n|--|--|\n| 1 | 2 |\n\n```js\nlet a;\n```\nnext\nline';
    const kinds = kindsIn(text);
    for (const kind of ['h1', 'ul', 'li', 'strong', 'em', 'code', 'table', 'td', 'break'])
      expect(kinds, kind).toContain(kind);
    expect(all(markdownTree(text) ?? [])).toContainEqual({
      kind: 'code',
      text: 'let a;',
      isBlock: true,
    });
  });

  it('stay words where they are markup, and load or lead to nothing that is no page', () => {
    const hostile = [
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
      '<div style="position:fixed">a</div>',
      '<!-- a --><svg onload=x>',
      '<a href="javascript:x">a</a>',
    ];
    for (const text of hostile) {
      expect(new Set(kindsIn(text)), text).toEqual(new Set(['p', 'text']));
      expect(wordsIn(text)).toBe(text);
    }
    expect(kindsIn('![the cat](https://evil.example/p.png)')).toEqual(['p', 'text']);
    expect(wordsIn('![the cat](https://evil.example/p.png)')).toBe('the cat');
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java&#x73;cript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      '/goals?delete',
      '//evil.example',
      '#main',
    ])
      expect(kindsIn(`[a](${address}) <${address}>`), address).not.toContain('link');
    expect(all(markdownTree('[a](https://example.org/b)') ?? [])).toContainEqual({
      kind: 'link',
      href: 'https://example.org/b',
      children: [{ kind: 'text', text: 'a' }],
    });
  });

  it('of any shape are read in little time, and what is beyond reading is plain', () => {
    const long = 24_000;
    const shapes = [
      '[',
      '*a ',
      '**_a',
      'a_b',
      '`',
      '<a ',
      '> ',
      '- ',
      '|a',
      '![](a',
      '[a][b]',
      'a.',
      '~',
      '\\',
      '[a]: b\n',
      '```\n',
    ];
    markdownTree('warm');
    for (const shape of shapes) {
      const begun = performance.now();
      markdownTree(shape.repeat(long / shape.length));
      expect(performance.now() - begun, shape).toBeLessThan(2000);
    }
    expect(markdownTree(`${'|a'.repeat(4000)}\n${'|-'.repeat(4000)}`)).toBeNull();
  });
});
