import { generateConsoleIcons } from './console-icons.ts';
import { generateStoreTypes } from './store-types.ts';

generateStoreTypes();
generateConsoleIcons();
