// The look of the console: colours, type, and the defaults of Mantine's components.
import { createTheme, DEFAULT_THEME, type MantineColorsTuple } from '@mantine/core'
import { text } from './texts/shell.ts'

const iris: MantineColorsTuple = [
  '#f3f3fe',
  '#e4e4fb',
  '#cbcdff',
  '#b0b2f5',
  '#9b9ef0',
  '#7a7be4',
  '#5b5bd6',
  '#5151cd',
  '#4a4ac0',
  '#3a3aa0',
]
const gray: MantineColorsTuple = [
  '#fafafb',
  '#f4f4f6',
  '#e9e9ee',
  '#dfdfe6',
  '#c9cad4',
  '#9a9caa',
  '#6d6f7e',
  '#50525f',
  '#35363f',
  '#1c1d23',
]
const dark: MantineColorsTuple = [
  '#ececf1',
  '#b9bac6',
  '#9496a5',
  '#6b6d7c',
  '#3a3b46',
  '#2b2c35',
  '#212229',
  '#17181d',
  '#121317',
  '#0c0d10',
]

const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8b8b',
  '#e5484d',
  '#d63338',
  '#c62a2f',
  '#b4232a',
  '#a31d24',
]

/** A Mantine colour whose darkest shade is readable on its lightest. */
const readable = (name: 'teal' | 'yellow' | 'orange', darkest: string): MantineColorsTuple =>
  [...DEFAULT_THEME.colors[name].slice(0, 9), darkest] as unknown as MantineColorsTuple

/** The name of a button. It is read when the page is drawn: the texts of the language are loaded after this file. */
const named = (name: 'close' | 'showPassword') => ({
  get 'aria-label'() {
    return text[name]
  },
})

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: 6,
  colors: {
    iris,
    gray,
    dark,
    red,
    teal: readable('teal', '#0a7553'),
    yellow: readable('yellow', '#855d00'),
    orange: readable('orange', '#b23c0a'),
  },
  autoContrast: true,
  fontFamily: "'Geist Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { sm: '5px', md: '7px', lg: '12px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm', fw: 500 } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 2 } },
    PasswordInput: {
      defaultProps: { size: 'sm', visibilityToggleFocusable: true, visibilityToggleButtonProps: named('showPassword') },
    },
    // Options open by a click, a letter or an arrow key: at the focus they would cover the message about the input.
    // A choice that is made again stays; the cross in the input clears it.
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right', openOnFocus: false, allowDeselect: false } },
    MultiSelect: { defaultProps: { size: 'sm', openOnFocus: false } },
    TagsInput: { defaultProps: { size: 'sm', openOnFocus: false } },
    Autocomplete: { defaultProps: { size: 'sm', openOnFocus: false } },
    Switch: { defaultProps: { size: 'sm' } },
    Checkbox: { defaultProps: { size: 'sm' } },
    SegmentedControl: { defaultProps: { size: 'sm', maw: '100%' }, styles: { root: { overflowX: 'auto' } } },
    // The first entry gets the focus at once: Mantine's default focus target is not allowed in a menu.
    Menu: {
      defaultProps: { shadow: 'md', position: 'bottom-end', offset: 4, withInitialFocusPlaceholder: false },
      classNames: { item: 'menu-item' },
    },
    CloseButton: { defaultProps: named('close') },
    // A dialog's heading is not part of the page's headings.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
    // The page behind is not blurred: without a graphics card, a frame of an open dialog takes several times as long.
    Modal: {
      defaultProps: { radius: 'lg', centered: true, overlayProps: { backgroundOpacity: 0.4 } },
      classNames: { title: 'dialog-title' },
    },
    Drawer: {
      styles: { title: { fontWeight: 600 } },
      // Its head is not a header of the page.
      defaultProps: {
        position: 'right',
        overlayProps: { backgroundOpacity: 0.3 },
        attributes: { header: { role: 'none' } },
      },
    },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false, fz: 'xs' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } },
    Paper: { defaultProps: { radius: 'lg', withBorder: true } },
    Anchor: { defaultProps: { fz: 'inherit', underline: 'hover' } },
  },
})
