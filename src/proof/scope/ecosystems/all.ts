import type { Ecosystem } from '../finding.ts';
import { conventions } from './conventions.ts';
import { dotnet } from './dotnet.ts';
import { go } from './go.ts';
import { javascript } from './javascript.ts';
import { jvm } from './jvm.ts';
import { native } from './native.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';

/**
 * A new ecosystem is a file beside these and a line here. Where two name the same files, the reason of the
 * first is shown.
 */
export const ecosystems: readonly Ecosystem[] = [
  javascript,
  python,
  rust,
  go,
  jvm,
  native,
  dotnet,
  conventions,
];
