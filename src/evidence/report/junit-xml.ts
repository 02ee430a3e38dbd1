import type { TestReport } from '../../contract/test-report.ts';
import { reportOfNames } from '../../proof/test-report.ts';

const CASE = /<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;

/**
 * A report in the form of JUnit, as pytest (in the family xunit1, which names the file of every
 * test), Gradle and Surefire write it. A test that is told twice counts by its worse result.
 */
export function parseJUnitXml(runner: 'pytest' | 'JUnit', text: string): TestReport {
  const names = { passed: [] as string[], failed: [] as string[], skipped: [] as string[] };
  const broken: string[] = [];
  const messages: string[] = [];
  for (const [, attributes = '', body = ''] of text.matchAll(CASE)) {
    const name = nameOf(attributes);
    // A file that could not be collected is no test.
    if (/<error message="collection failure"/.test(body)) broken.push(fileOfModule(attributes));
    else if (/<skipped\b/.test(body)) names.skipped.push(name);
    else if (/<(failure|error)\b/.test(body)) {
      names.failed.push(name);
      messages.push(attribute(body, 'message'));
    } else names.passed.push(name);
  }
  // A test whose clean-up failed has a second entry.
  const failed = new Set(names.failed);
  const worse = new Set([...names.skipped, ...failed]);
  const passed = names.passed.filter((name) => !worse.has(name));
  return reportOfNames(runner, { ...names, passed, failed: [...failed], broken, messages });
}

const attribute = (attributes: string, key: string): string =>
  unescapeEntities(new RegExp(`\\b${key}="([^"]*)"`).exec(attributes)?.[1] ?? '');

/** Collection errors name only the module: `test.test_sum`. */
function fileOfModule(attributes: string): string {
  const module = attribute(attributes, 'classname') || attribute(attributes, 'name');
  return attribute(attributes, 'file') || `${module.replaceAll('.', '/')}.py`;
}

function nameOf(attributes: string): string {
  const get = (key: string) => attribute(attributes, key);
  const [file, classname, name] = [get('file'), get('classname'), get('name')];
  if (file === '') return `${classname} > ${name}`;
  const module = file.replace(/\.py$/, '').replaceAll('/', '.');
  const inner = classname.startsWith(module) ? classname.slice(module.length + 1) : classname;
  return [file, ...inner.split('.'), name].filter((part) => part !== '').join(' > ');
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

const unescapeEntities = (text: string): string =>
  text.replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, entity: string) => {
    if (!entity.startsWith('#')) return ENTITIES[entity] ?? whole;
    const code = entity[1] === 'x' ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : whole;
  });
