import { generateStoreTypes } from './store-types.ts';

generateStoreTypes();
