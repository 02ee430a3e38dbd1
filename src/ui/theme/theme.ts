import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { tokens } from './tokens.ts';

/** One value for all ten shades: components take their colours from the tokens. */
const accent: MantineColorsTuple = [
  '#e8f0fe',
  '#d3e2fd',
  '#a9c5fa',
  '#82aeff',
  '#5b91f0',
  '#3f7ae0',
  '#1f5bd1',
  '#1a4db3',
  '#163f94',
  '#123276',
];

export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent },
  fontFamily: '"Inter Variable", ui-sans-serif, system-ui, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, monospace',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '14px', xl: '16px' },
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
});

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...variablesOf(0), ...mantineNames },
  dark: { ...variablesOf(1), ...mantineNames },
});

function variablesOf(scheme: 0 | 1): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tokens).map(([name, value]) => [`--${name}`, value[scheme]]),
  );
}

const mantineNames = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-3)',
  '--mantine-color-default-border': 'var(--line-2)',
  '--mantine-color-placeholder': 'var(--text-3)',
};
