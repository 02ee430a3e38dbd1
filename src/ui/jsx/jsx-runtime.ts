import type { ElementType, Key, ReactElement, ReactNode } from 'react';
import { jsx as elementOf, jsxs as elementOfMany, Fragment } from 'react/jsx-runtime';
import { bySigns, hidesSigns, nameOfSign, withNames } from '../view/unseen.ts';

export type { JSX } from 'react/jsx-runtime';
export { Fragment };

type Props = Readonly<Record<string, unknown>>;

/**
 * Every element of the console is made here, those of libraries aside, which are given their texts
 * here as well. So in whatever is shown, and whoever wrote it, signs that can't be seen are marks.
 * A component that returns a text wraps it in a fragment.
 */
export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement =>
  elementOf(type, shown(type, props), key);

export const jsxs = (type: ElementType, props: Props, key?: Key): ReactElement =>
  elementOfMany(type, shown(type, props), key);

/** Those that people see or hear. A field's value is what is edited: it stays as it is. */
const READ = ['title', 'aria-label', 'aria-valuetext', 'alt', 'placeholder', 'label'] as const;

/** The browser takes nothing but text in them. */
const PLAIN: ReadonlySet<unknown> = new Set(['option', 'title', 'text', 'tspan']);

function shown(type: ElementType, props: Props): Props {
  const changed: Record<string, unknown> = {};
  for (const name of READ) {
    const text = props[name];
    if (typeof text === 'string' && hidesSigns(text)) changed[name] = withNames(text);
  }
  const children = props.children as ReactNode;
  if (hasHidden(children))
    changed.children = PLAIN.has(type) ? inWords(children) : withMarks(children);
  return Object.keys(changed).length === 0 ? props : { ...props, ...changed };
}

const hasHidden = (node: ReactNode): boolean =>
  typeof node === 'string' ? hidesSigns(node) : Array.isArray(node) && node.some(hasHidden);

const inWords = (node: ReactNode): ReactNode => {
  if (typeof node === 'string') return withNames(node);
  return Array.isArray(node) ? node.map(inWords) : node;
};

function withMarks(node: ReactNode, place?: number): ReactNode {
  if (Array.isArray(node)) return node.map(withMarks);
  if (typeof node !== 'string' || !hidesSigns(node)) return node;
  const children = bySigns(node).map((part, index) =>
    index % 2 === 0 ? part : markOf(nameOfSign(part), index),
  );
  // One piece of its row, with a direction of its own.
  return elementOfMany('bdi', { children }, place);
}

/** What stands for a sign that can't be seen. */
export const markOf = (name: string, key: number): ReactElement =>
  elementOf(
    'abbr',
    { className: 'unseen', title: 'A character that can’t be seen', children: name },
    key,
  );
