import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

function filesIn(folder: string, endings: RegExp): string[] {
  const path = fileURLToPath(new URL(folder, root));
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => endings.test(file)).map((file) => `${folder}/${file}`);
}

const CLASS = /\.([a-z][\w-]*)/gi;
const classesIn = (selector: string): string[] =>
  [...selector.matchAll(CLASS)].map(([, name = '']) => name);

/** What stands before a brace, at-rules and comments aside. */
const styled = new Set(
  filesIn('src/ui/styles', /\.css$/).flatMap((file) =>
    [
      ...read(file)
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .matchAll(/([^{};]+)\{/g),
    ]
      .map(([, selector = '']) => selector.trim())
      .filter((selector) => !selector.startsWith('@'))
      .flatMap(classesIn),
  ),
);

interface Text {
  readonly file: string;
  readonly words: readonly string[];
  /** It stands where an element gets its classes. */
  readonly isClass: boolean;
  /** Nothing comes before it in its template. */
  readonly isStart: boolean;
}

const isClassPlace = (node: ts.Node): boolean =>
  (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) &&
  /^classNames?$/.test(node.name.getText());

/** All texts of a file; of a template, its parts. */
function textsOf(file: string): Text[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const texts: Text[] = [];
  const visit = (node: ts.Node, isClass: boolean): void => {
    const isStart = ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
    if (isStart || ts.isTemplateMiddleOrTemplateTail(node)) {
      const words = node.text.split(/\s+/).filter((word) => word !== '');
      texts.push({ file, words, isClass, isStart });
    }
    // What a condition compares with is no class.
    if (ts.isBinaryExpression(node) && /^[=!]=/.test(node.operatorToken.getText())) return;
    ts.forEachChild(node, (child) => visit(child, isClass || isClassPlace(node)));
  };
  visit(source, false);
  return texts;
}

const texts = filesIn('src/ui', /(?<!\.d)\.tsx?$/).flatMap(textsOf);
const words = new Set(texts.flatMap((text) => text.words));
const prefixes = [...words].filter((word) => word.endsWith('-'));

/** Mantine's own. */
const isOfMantine = (name: string): boolean => name.startsWith('mantine-');

describe('the console’s classes', () => {
  it('are all styled', () => {
    const unknown = texts
      .filter(({ isClass }) => isClass)
      .flatMap(({ file, words }) => words.map((word) => ({ file, word })))
      .filter(({ word }) => !word.endsWith('-') && !styled.has(word));
    expect(unknown).toEqual([]);
  });

  it('are all used', () => {
    const isUsed = (name: string): boolean =>
      words.has(name) || prefixes.some((prefix) => name.startsWith(prefix)) || isOfMantine(name);
    expect([...styled].filter((name) => !isUsed(name))).toEqual([]);
  });

  it('are words that say what they are', () => {
    const isWord = (name: string): boolean => /^[a-z]{3,}([-_][a-z0-9]+)*$/.test(name);
    expect([...styled].filter((name) => !isWord(name) && !isOfMantine(name))).toEqual([]);
  });

  it('are what browser tests and screenshots look for', () => {
    const looked = [...filesIn('test/browser', /\.ts$/), 'scripts/docs-screenshots.ts']
      .flatMap(textsOf)
      .filter(({ isStart }) => isStart)
      .map((text) => ({ file: text.file, selector: text.words.join(' ') }))
      .filter(({ selector }) => /^\.[a-z][\w-]*($|[ .,>[:])/.test(selector))
      .flatMap(({ file, selector }) => classesIn(selector).map((name) => ({ file, name })));
    expect(looked.length).toBeGreaterThan(20);
    expect(looked.filter(({ name }) => !styled.has(name))).toEqual([]);
  });

  it('and its buttons come from one component', () => {
    const raw = filesIn('src/ui', /\.tsx$/).filter((file) => /<button\b/.test(read(file)));
    expect(raw).toEqual(['src/ui/components/button.tsx']);
  });
});
