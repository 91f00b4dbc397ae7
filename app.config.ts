import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
const testing = process.env['VITEST'] === 'true'

/** The one configuration of build, development server and tests (client's card: `app.config.ts`). */
export default defineConfig({
  root,
  server: { allowedHosts: true },
  build: { target: 'es2022' },
  plugins: testing
    ? [react()]
    : [
        tailwindcss(),
        tanstackStart({
          srcDirectory: 'app',
          router: { quoteStyle: 'single', semicolons: false },
          importProtection: {
            behavior: 'error',
            client: { files: ['**/*.server.*', '**/app/server/**', '**/app/cli/**', '**/app/serve/**'] },
          },
        }),
        react(),
      ],
  test: {
    include: ['app/**/*.test.{ts,tsx}', 'tests/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/cluster.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
