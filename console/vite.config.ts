// The build of the console: one page, a chunk for each part of it, served below /console.
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { guides } from './guides.ts'
import { usedStyles } from './used-styles.ts'

const server = process.env.CASHWRAP_URL ?? 'http://127.0.0.1:8080'

/** What scrolls in a frame of its own, and with it what places one thing beside another: overlays and plain tables have it. */
const scrolling = /floating-ui|components.(ScrollArea|Table)\//
/** Components that lie over a page or drop down on it. */
const overlays =
  /remove-scroll|use-focus-(trap|return)|utils.Floating|components.(Combobox|Drawer|Floating|Menu|Modal|ModalBase|Popover|Tooltip)\//
/** Inputs of small forms, beyond lines of text; without the marks of checkboxes and radios, which menus have too. */
const inputs = /components.((Checkbox|Radio).(?!CheckIcon|RadioIcon)|(Fieldset|Select|Textarea)\/)/
/** Inputs of record forms. */
const records =
  /react-number-format|components.(Autocomplete|MultiSelect|NumberInput|Pill|PillsInput|TagsInput)\/|parts.(MemberInput|MembersInput|PicturesInput|RecordForm|ReferenceInput)/
/** Their module names, as the console imports them. */
const heavy =
  /\b(Autocomplete|Checkbox|Combobox|Drawer|Fieldset|Menu|Modal|MultiSelect|NumberInput|Popover|Radio|Select|TagsInput|Textarea|Tooltip)\b/

/** Whether a module, or one that it imports, uses any of those from Mantine, or is the table or draws codes. */
function isHeavy(id: string, modules: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false
  seen.add(id)
  const module = modules.getModuleInfo(id)
  const taken = /import \{([^}]*)\} from ["']@mantine\/core["']/.exec(module?.code ?? '')?.[1] ?? ''
  const own = module?.importedIds.filter((one) => one.includes('/console/src/')) ?? []
  return heavy.test(taken) || /Data(Head|Row|Table)|QrCode/.test(id) || own.some((one) => isHeavy(one, modules, seen))
}

/**
 * Shared modules are bundled into a few files, since sixty small requests cost more than their size; but no page loads what
 * only others need. A module goes into the first group that matches, together with what it imports.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  { name: 'base', tags: ['$initial'], minShareCount: 1 },
  {
    name: 'basics',
    test: (id: string) => /@mantine/.test(id) && ![scrolling, overlays, inputs, records].some((one) => one.test(id)),
    minShareCount: 6,
  },
  { name: 'icons', test: /tabler/, minShareCount: 2 },
  {
    name: (id, modules) =>
      /tanstack.(query|react-query)|src.(api|parts|texts)/.test(id) && !isHeavy(id, modules) ? 'shared' : null,
    debugName: 'shared',
    minShareCount: 4,
  },
  { name: 'scrolling', test: scrolling, minShareCount: 2 },
  // Before the table, which would take them with it, and then every page that has one of them would load the table.
  { name: 'overlays', test: overlays, minShareCount: 2 },
  { name: 'table', test: /virtual|parts.Data(Head|Row|Table)/, minShareCount: 2 },
  { name: 'dialogs', test: /parts.(confirm|CopyValue|unsaved)/, minShareCount: 2 },
  { name: 'inputs', test: inputs, minShareCount: 2 },
  { name: 'records', test: records, minShareCount: 2 },
]

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [guides(), react(), usedStyles()],
  build: {
    target: 'es2023',
    // No file is inlined into another one: the content security policy allows scripts only from files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // Licences of libraries ask that their texts go with the copies.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: { codeSplitting: { groups: groups.map((group, n) => ({ ...group, priority: groups.length - n })) } },
    },
  },
  // For development: `npm run console:dev` beside a running service.
  server: { proxy: { '/v1': { target: server, changeOrigin: false } } },
})
