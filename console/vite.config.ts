// How the console is built: one page, a chunk for each part of it, served below /console.
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { usedStyles } from './used-styles.ts'

const server = process.env.CASHWRAP_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react(), usedStyles()],
  build: {
    target: 'es2023',
    // No file is small enough to be written into another one: the page's policy takes no script but from files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // What many pages share comes in one file: sixty small ones take longer than they are long.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 8 }] },
      },
    },
  },
  // For who changes the console: `npm run console:dev` beside a running service.
  server: { proxy: { '/v1': { target: server, changeOrigin: false } } },
})
