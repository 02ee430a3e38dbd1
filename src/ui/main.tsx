import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/all.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { askEarly } from './api/early.ts';
import { queryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { Toasts } from './shell/toasts.tsx';
import { colorSchemeManager } from './theme/color-scheme.ts';
import { styleNonce } from './theme/nonce.ts';
import { cssVariablesResolver, theme } from './theme/theme.ts';

askEarly(location);
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    colorSchemeManager={colorSchemeManager}
    defaultColorScheme="auto"
    getStyleNonce={styleNonce}
  >
    <QueryClientProvider client={queryClient}>
      <Toasts>
        <App />
      </Toasts>
    </QueryClientProvider>
  </MantineProvider>,
);
