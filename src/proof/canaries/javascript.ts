import { type Planting, type Statement, statementsFor, type TestFile } from './canary.ts';

/** Arguments with which each function of `node:assert` fails. */
const ASSERT: Readonly<Record<string, string>> = {
  ok: 'false',
  equal: '1, 2',
  strictEqual: '1, 2',
  deepEqual: '{ a: 1 }, { a: 2 }',
  deepStrictEqual: '{ a: 1 }, { a: 2 }',
  partialDeepStrictEqual: '{ a: 1 }, { a: 2 }',
  notEqual: '1, 1',
  notStrictEqual: '1, 1',
  notDeepEqual: '{ a: 1 }, { a: 1 }',
  notDeepStrictEqual: '{ a: 1 }, { a: 1 }',
  match: "'a', /b/",
  doesNotMatch: "'a', /a/",
  throws: '() => {}',
  doesNotThrow: "() => { throw new Error('x'); }",
  rejects: 'async () => {}',
  doesNotReject: "async () => { throw new Error('x'); }",
};

const CHAI_ASSERT: Readonly<Record<string, string>> = {
  equal: '1, 2',
  strictEqual: '1, 2',
  deepEqual: '{ a: 1 }, { a: 2 }',
  isTrue: 'false',
  isOk: 'false',
  throws: '() => {}',
};

const CHAI_EXPECT: Readonly<Record<string, string>> = {
  equal: '(1).to.equal(2)',
  eq: '(1).to.eq(2)',
  eql: '({ a: 1 }).to.eql({ a: 2 })',
  throw: '(() => {}).to.throw()',
  include: '([1]).to.include(2)',
  length: '([1]).to.have.length(2)',
  lengthOf: '([1]).to.have.lengthOf(2)',
};

/** Matchers of `expect` in Jest and Vitest, with values that they refuse. */
const EXPECT: Readonly<Record<string, string>> = {
  toBe: '(1).toBe(2)',
  toEqual: '({ a: 1 }).toEqual({ a: 2 })',
  toStrictEqual: '({ a: 1 }).toStrictEqual({ a: 2 })',
  toMatchObject: '({ a: 1 }).toMatchObject({ a: 2 })',
  toBeTruthy: '(0).toBeTruthy()',
  toBeFalsy: '(1).toBeFalsy()',
  toBeDefined: '(undefined).toBeDefined()',
  toBeUndefined: '(1).toBeUndefined()',
  toBeNull: '(1).toBeNull()',
  toContain: '([1]).toContain(2)',
  toContainEqual: '([{ a: 1 }]).toContainEqual({ a: 2 })',
  toHaveLength: '([1]).toHaveLength(2)',
  toHaveProperty: "({}).toHaveProperty('a')",
  toMatch: "('a').toMatch(/b/)",
  toThrow: '(() => {}).toThrow()',
  toBeGreaterThan: '(1).toBeGreaterThan(2)',
  toBeLessThan: '(2).toBeLessThan(1)',
  toBeCloseTo: '(1).toBeCloseTo(2)',
  toBeInstanceOf: '({}).toBeInstanceOf(Date)',
};

export const isScript = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);

/** True for a file that Node and compilers read as a module with `import`. */
const isModule = ({ path, text }: Pick<TestFile, 'path' | 'text'>): boolean =>
  /\.m[jt]s$/.test(path) ||
  (!/\.c[jt]s$/.test(path) && /^\s*(?:import\b(?!\()|export\b)/m.test(text));

/** Imports of the canaries, under names of their own. */
class Imports {
  readonly #file: TestFile;
  readonly #lines: string[] = [];

  constructor(file: TestFile) {
    this.#file = file;
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  /** @returns the name of the module, as `require` or a default import gives it */
  whole(specifier: string): string {
    const name = `m${this.#lines.length}${this.#file.id}`;
    const isNamespace = new RegExp(`import\\s+\\*\\s+as\\s+\\w+\\s+from\\s*['"]${specifier}['"]`);
    if (!isModule(this.#file)) this.#lines.push(`const ${name} = require('${specifier}');`);
    else if (specifier === 'chai' || isNamespace.test(this.#file.text))
      this.#lines.push(`import * as ${name} from '${specifier}';`);
    else this.#lines.push(`import ${name} from '${specifier}';`);
    return name;
  }

  one(specifier: string, exported: string): string {
    const name = `n${this.#lines.length}${this.#file.id}`;
    this.#lines.push(
      isModule(this.#file)
        ? `import { ${exported} as ${name} } from '${specifier}';`
        : `const ${name} = require('${specifier}').${exported};`,
    );
    return name;
  }
}

export interface JavaScriptRunner {
  /** The expression of the function that registers a test. */
  readonly test: (imports: Imports, file: TestFile) => string;
  /** The expression of `expect` of Jest and Vitest; absent = there is none. */
  readonly expect?: (imports: Imports, file: TestFile) => string;
}

/** Appends canaries to a file in JavaScript or TypeScript. */
export function plantScript(file: TestFile, runner: JavaScriptRunner): Planting | null {
  // Only some of its tests run, and a canary would be none of them.
  if (/\.only\b/.test(file.text)) return null;
  const imports = new Imports(file);
  const statements: Statement[] = [
    ['throw', "throw new Error('x');"],
    ...assertStatements(imports, file),
    ...chaiStatements(imports, file),
    ...expectStatements(imports, file, runner),
  ];
  const register = runner.test(imports, file);
  const own = `${titlesOf(file.text)} ${file.id}`.trimStart();
  const names = statements.map((_, index) => `${own} ${index}`);
  const mustPass = `${own} holds`;
  const tests = [
    ...statements.map(
      ([, code], index) => `${register}('${names[index]}', async () => { ${code} });`,
    ),
    `${register}('${mustPass}', async () => {});`,
  ];
  const body = `${imports.text}\n${tests.join('\n')}`;
  const block = isModule(file) ? `\n;\n${body}\n` : `\n;{\n${body}\n}\n`;
  return {
    text: file.text + block,
    bare: block,
    mustFail: new Map(names.map((name, index) => [name, statements[index]?.[0] ?? ''])),
    mustPass,
  };
}

/** Where a command selects tests by their names, a canary has those of the file's own. */
function titlesOf(text: string): string {
  const titles = text.matchAll(/\b(?:test|it)\s*\(\s*(['"`])([\w ,:;+=<>/-]{1,80})\1/g);
  return [...titles]
    .map(([, , title = '']) => title)
    .slice(0, MOST_TITLES)
    .join(' ');
}

const MOST_TITLES = 12;

function assertStatements(imports: Imports, { text }: TestFile): Statement[] {
  const found = text.matchAll(/['"]((?:node:)?assert(?:\/strict)?)['"]/g);
  return [...new Set([...found].map(([, specifier = '']) => specifier))].flatMap((specifier) => {
    const library = imports.whole(specifier);
    const isCalled: Statement = [specifier, `${library}(false);`];
    // Named imports don't follow what was put into the module's object.
    const named = new RegExp(`import\\s*\\{([^}]*)\\}\\s*from\\s*['"]${specifier}['"]`).exec(
      text,
    )?.[1];
    const direct = Object.keys(ASSERT)
      .filter((name) => new RegExp(`\\b${name}\\b`).test(named ?? ''))
      .map(
        (name): Statement => [
          `${specifier} ${name}`,
          `await ${imports.one(specifier, name)}(${ASSERT[name]});`,
        ],
      );
    const members = statementsFor(text, ASSERT, ['ok', 'strictEqual'], (name, values) => [
      `${specifier} ${name}`,
      `await ${library}.${name}(${values});`,
    ]);
    return [...(/\bassert\s*\(/.test(text) ? [isCalled] : []), ...direct, ...members];
  });
}

function chaiStatements(imports: Imports, { text }: TestFile): Statement[] {
  if (!/['"]chai['"]/.test(text)) return [];
  const library = imports.whole('chai');
  return [
    ...statementsFor(text, CHAI_EXPECT, ['equal', 'eql'], (name, rest) => [
      `chai expect ${name}`,
      `${library}.expect${rest};`,
    ]),
    ...(/\bassert\b/.test(text)
      ? statementsFor(text, CHAI_ASSERT, ['equal'], (name, values) => [
          `chai assert ${name}`,
          `${library}.assert.${name}(${values});`,
        ])
      : []),
  ];
}

function expectStatements(
  imports: Imports,
  file: TestFile,
  { expect }: JavaScriptRunner,
): Statement[] {
  if (expect === undefined || /['"]chai['"]/.test(file.text)) return [];
  if (!/\bexpect\b/.test(file.text)) return [];
  const call = expect(imports, file);
  const used = statementsFor(file.text, EXPECT, ['toBe', 'toEqual'], (name, rest) => [
    `expect ${name}`,
    `${call}${rest};`,
  ]);
  const turned: Statement[] = [
    ['expect not', `${call}(1).not.toBe(1);`],
    ['expect resolves', `await ${call}(Promise.resolve(1)).resolves.toBe(2);`],
    ['expect rejects', `await ${call}(Promise.resolve(1)).rejects.toThrow();`],
  ];
  const isUsed = ([name]: Statement) => file.text.includes(`.${name.slice('expect '.length)}`);
  return [...used, ...turned.filter(isUsed)];
}
