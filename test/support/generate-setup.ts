import { generateStoreTypes } from '../../scripts/store-types.ts';

/** The store's client and rows are of this schema before anything loads them. */
export default function setup(): void {
  generateStoreTypes();
}
