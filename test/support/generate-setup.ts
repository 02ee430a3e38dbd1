import { generateConsoleIcons } from '../../scripts/console-icons.ts';
import { generateStoreTypes } from '../../scripts/store-types.ts';

/** The store's client and rows are of this schema before anything loads them, and icons are drawn. */
export default function setup(): void {
  generateStoreTypes();
  generateConsoleIcons();
}
